/** JSON Schemas of a turn's plan: what stages exchange, and what a model must write. */

/** Tools that a turn may propose. */
export const MAX_CANDIDATES = 2

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
    candidate_tools: { type: "array", maxItems: MAX_CANDIDATES, items: tool },
    arguments: { type: "object" },
    confidence: { type: "number", minimum: 0, maximum: 1 },
  },
})

/** A plan of any intents. An example of a model's reply has only what the model writes. */
export const turnPlanSchema = () => {
  const plan = planOf({ type: "string" }, { type: "string" })
  return {
    ...plan,
    properties: {
      ...plan.properties,
      each: { type: "boolean", description: "each candidate was requested; else one suffices" },
      settled: { type: "boolean", description: "every word of the message has a use" },
      open: { type: "array", items: { type: "string" }, description: "words without a use" },
    },
  }
}

/** What a model must write. `confidence` may be missing, and of many tools the first two count. */
export const turnReplySchema = (intents: ReadonlyArray<string>, tools: ReadonlyArray<string>) => {
  const plan = planOf({ type: "string", enum: intents }, {})
  const { maxItems: _, ...names } = plan.properties.candidate_tools
  return {
    ...plan,
    required: required.filter((key) => key !== "confidence"),
    properties: {
      ...plan.properties,
      candidate_tools: { ...names, items: { type: "string", enum: tools } },
    },
  }
}
