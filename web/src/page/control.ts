// What pages of systems under control have besides.
export { mountConsole } from "./console";
export { mountWiring } from "./wiring";
