/** Parses model text into data that is valid for a JSON Schema, or fails with reasons. */
export { parse } from "./parse.ts"
export { stream, type Stream } from "./stream.ts"
export type * from "./Salvage.ts"
