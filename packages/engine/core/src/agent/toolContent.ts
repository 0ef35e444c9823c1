/** Results and failures of tool calls as a model reads them: bounded, and without the text of defects. */
import type { FailureRecord, Json } from "@planloom/plugin/effect"

/** Characters of a result as JSON that a model reads; about 4,000 tokens. */
const MAX_RESULT_CHARACTERS = 16_000

/** A long result is cut; `summary` is what its tool says of it. */
export const resultContent = (result: Json, summary?: string): Json => {
  if (typeof result !== "string" && (typeof result !== "object" || result === null)) return result
  const text = JSON.stringify(result)
  return text.length <= MAX_RESULT_CHARACTERS
    ? result
    : {
        ...(summary === undefined ? {} : { summary }),
        truncated: `the first ${MAX_RESULT_CHARACTERS} of ${text.length} characters`,
        start: text.slice(0, MAX_RESULT_CHARACTERS),
      }
}

/** A defect of a tool may carry anything in its message, so the model only reads that the tool failed. */
export const failureContent = (
  { class: reason, detail, message }: FailureRecord,
  tool: string,
): Json => {
  if (reason === "internal") return errorMessage(`"${tool}" failed`)
  return reason === "tool_error" && detail !== undefined
    ? { error: message, detail: resultContent(detail) }
    : errorMessage(message)
}

export const errorMessage = (message: string): Json => ({ error: message })
