import { render } from "preact";
import "./css/tokens.css";
import "./css/base.css";
import "./css/ui.css";
import "./css/shell.css";
import { at, get } from "./api";
import { startKeys } from "./keys";
import { App } from "./shell/app";
import { features, start } from "./store";

start();
startKeys();
get(at.config).then(features.set.bind(features), () => undefined); // without, the page has no buttons
render(<App />, document.getElementById("app")!);
