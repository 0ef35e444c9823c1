/** Chooses the modes of requesting JSON from a model: those of the request or the server that suit the schema, best first. */
import type { JsonSchema, ModelRequest } from "@planloom/plugin/effect"
import { answerTool } from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"
import type { StructuredMode } from "./Setting.ts"

/** The request's own mode comes first, unless the project declares modes for the server. */
export const modesFor = (
  request: ModelRequest,
  server: ServerOptions,
): ReadonlyArray<StructuredMode> => {
  const { model, output } = request
  if (output === undefined) return ["none"]
  const { declared, structured } = server.model(model)
  const wanted = declared ? undefined : output.form
  if (wanted === "text") return ["none"]
  const modes = [...(wanted === "tool" ? (["tool"] as const) : []), ...structured]
  const suitable = modes.filter((mode) => suits(mode, request, output.schema, server))
  // Modes that the project declares are the only ones.
  return declared ? suitable : [...suitable, "none"]
}

const suits = (
  mode: StructuredMode,
  request: ModelRequest,
  schema: JsonSchema,
  server: ServerOptions,
): boolean => {
  switch (mode) {
    case "tool":
      // Ollama cannot force the call of a tool.
      return server.model(request.model).api !== "ollama" && answerTool(request) !== undefined
    case "json_schema":
      return typeof schema !== "boolean" && (!server.objectRoots || hasObjectRoot(schema))
    case "json_object":
      return isObjects(schema)
    case "none":
      return true
  }
}

/** Source: OpenAI, Structured Outputs, "Root objects must not be anyOf and must be an object". */
const hasObjectRoot = (schema: Exclude<JsonSchema, boolean>): boolean =>
  schema["type"] === "object" &&
  ["anyOf", "oneOf", "allOf", "enum", "not"].every((keyword) => !(keyword in schema))

/** Whether only objects are valid, or nothing is known: this mode returns no other values. */
const isObjects = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return true
  const { anyOf, oneOf, type } = schema as { readonly [keyword: string]: unknown }
  const choices = (anyOf ?? oneOf) as ReadonlyArray<JsonSchema> | undefined
  if (type !== undefined) return type === "object"
  return choices === undefined || choices.every(isObjects)
}
