/** The tool through whose arguments a model returns JSON. */
import type { JsonSchema, ModelRequest } from "@planloom/plugin/effect"

export interface AnswerTool {
  /** Letters, digits, `_` and `-`, starting with a letter or `_`, at most 64 characters: every service accepts it. */
  readonly name: string
  readonly description: string
  readonly schema: Exclude<JsonSchema, boolean>
}

/**
 * The answer tool of a request, or undefined if its schema is not an object's (arguments are objects) or the request
 * offers other tools (the call could not be forced).
 */
export const answerTool = ({ output, tools = [] }: ModelRequest): AnswerTool | undefined => {
  if (output === undefined || tools.length > 0) return undefined
  const { name, schema } = output
  if (typeof schema === "boolean" || schema["type"] !== "object") return undefined
  return {
    name: name
      .replace(/[^\w-]/g, "_")
      .replace(/^(?![a-z_])/i, "_")
      .slice(0, 64),
    description: "Takes the answer.",
    schema,
  }
}
