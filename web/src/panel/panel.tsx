export { EdgePanel } from "./edge";
export { VertexPanel } from "./vertex";
