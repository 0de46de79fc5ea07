// The REST API as the page uses it: how to ask (ask.ts), all URLs (paths.ts, the only file that knows any), and the types of all answers.
// What Flink lacks stands in `flott`.

export * from "./api/actions";
export { download, get, getText, listen, type Text } from "./api/ask";
export * from "./api/cluster";
export * from "./api/diagnosis";
export * from "./api/error";
export * from "./api/events";
export * from "./api/graphs";
export * from "./api/jobs";
export * from "./api/paths";
export { hasToken, setToken, signedOut } from "./api/token";
export * from "./api/vertices";
