/** One tool on the files of a folder: its description, and its work. */
import type { JsonObject, JsonSchema, Tool } from "@planloom/plugin/effect"
import type { FileCall } from "./FileCall.ts"
import type { Library } from "./library/Library.ts"

/**
 * `run` returns data with a `text`: one sentence for a person. It fails with `FilesFailed`. `params` have been
 * checked against the tool's own.
 */
export interface FileTool {
  readonly tool: Tool
  readonly run: (params: JsonObject, library: Library, call: FileCall) => Promise<JsonObject>
}

/** A tool's description without the words of its catalog entry: a tool that only reads. */
export const listed = (
  name: string,
  summary: string,
  group: string,
  params: { readonly [name: string]: { readonly [keyword: string]: unknown } },
  required: ReadonlyArray<string> = [],
  result?: JsonSchema,
): Tool => ({
  name,
  summary,
  group,
  capabilities: [],
  inputs: {},
  outputs: ["object"],
  params: { type: "object", properties: params, required, additionalProperties: false },
  ...(result === undefined ? {} : { result }),
  effect: "read",
  idempotent: true,
})
