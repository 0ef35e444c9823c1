/** JSON Schemas of a turn's plan: what stages exchange, and what a model must write. */

const required = [
  "intent",
  "reasoning_summary",
  "chat_response",
  "candidate_tools",
  "arguments",
  "confidence",
]

const planOf = (
  intent: { readonly [keyword: string]: unknown },
  tool: { readonly [keyword: string]: unknown },
) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties: {
    intent,
    reasoning_summary: { type: "string" },
    chat_response: { type: "string", minLength: 1 },
    candidate_tools: { type: "array", maxItems: 2, items: tool },
    arguments: { type: "object" },
    confidence: { type: "number", minimum: 0, maximum: 1 },
  },
})

/** A plan of any reader. */
export const turnPlanSchema = () => planOf({ type: "string" }, { type: "string" })

/** What a model must write. A reply without `confidence` counts as certain. */
export const turnReplySchema = (intents: ReadonlyArray<string>, tools: ReadonlyArray<string>) => ({
  ...planOf({ type: "string", enum: intents }, { type: "string", enum: tools }),
  required: required.filter((key) => key !== "confidence"),
})
