/** Parses model text into data that is valid for a JSON Schema, or fails with reasons. */
export { parse, type Parse, type ValueOf } from "./parse.ts"
export type { StandardIssue, StandardResult, StandardSchema } from "./StandardSchema.ts"
export { stream, type Stream } from "./stream.ts"
export type * from "./Salvage.ts"
