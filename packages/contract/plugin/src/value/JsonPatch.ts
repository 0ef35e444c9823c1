/** JSON Patch (RFC 6902), with the operations that changes of hooks need. */
import type { Json } from "./Json.ts"

export type JsonPatch = ReadonlyArray<JsonPatchOperation>

export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string }
