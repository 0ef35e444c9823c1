/** The tool by which a model gives an answer of a declared shape; it runs nothing. */
import type { Json, JsonObject, JsonSchema, ModelRequest } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"

/** No tool of a workflow may have this name where an answer has a shape. */
export const ANSWER = "answer"

export interface AnswerTool {
  readonly declaration: NonNullable<ModelRequest["tools"]>[number]
  /** Whether the answer is the argument `value`, because params are always an object. */
  readonly wrapped: boolean
}

const made = new WeakMap<object, AnswerTool>()

/** Made once for a schema: providers convert a declaration once. */
export const answerTool = (result: JsonSchema): AnswerTool => {
  if (typeof result === "boolean") return toolFor(result)
  let tool = made.get(result)
  if (tool === undefined) made.set(result, (tool = toolFor(result)))
  return tool
}

const toolFor = (result: JsonSchema): AnswerTool => {
  const wrapped = typeof result === "boolean" || result["type"] !== "object"
  return {
    wrapped,
    declaration: {
      name: ANSWER,
      description: "Gives the final answer.",
      parameters: wrapped
        ? {
            type: "object",
            properties: { value: nestedSchema(result, "/properties/value") },
            required: ["value"],
            additionalProperties: false,
          }
        : result,
    },
  }
}

export const answerValue = ({ wrapped }: AnswerTool, params: JsonObject): Json =>
  wrapped ? (params["value"] ?? null) : params
