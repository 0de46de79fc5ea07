import { render } from "preact";
import "./css/tokens.css";
import "./css/base.css";
import "./css/ui.css";
import "./css/shell.css";
import { startKeys } from "./keys";
import { App } from "./shell/app";
import { start } from "./feed";

start();
startKeys();
render(<App />, document.getElementById("app")!);
