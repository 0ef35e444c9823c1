/** What a tool source gives for a call: a value that fits the tool's schema, or a failure. */
import * as Effect from "effect/Effect"
import { ToolFailed, type Json, type Tool, type ToolResult } from "@planloom/plugin/effect"
import { formatIssues, isObject, isTooDeep, rejectionOf, TOO_DEEP } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { isLargerThan, oneLine } from "./summaryOf.ts"

/** Of a result as JSON: it is recorded whole. */
const MAX_RESULT_CHARACTERS = 16_000_000

/** The failure of a tool whose schema of results cannot be used; undefined if it can, or the tool has none. */
export const unusable = ({ name, result: schema }: Tool): ToolFailed | undefined => {
  const rejection = schema === undefined ? undefined : rejectionOf(schema)
  return (
    rejection &&
    toolFailure(name, "invalid_request", `the result schema of "${name}": ${rejection.message}`)
  )
}

/** The failure of a result that does not fit the schema that its tool declares; undefined if it does. */
export const resultMismatch = (tool: Tool, result: Json): ToolFailed | undefined => {
  const { name, result: schema } = tool
  if (schema === undefined) return undefined
  const failure = unusable(tool)
  if (failure !== undefined) return failure
  const issues = validatorOf(schema)(result)
  return issues.length === 0
    ? undefined
    : toolFailure(
        name,
        "invalid_output",
        `the result of "${name}" does not fit: ${formatIssues(issues, "the result")}`,
        issues.map(({ message, path }) => ({ path, message })),
      )
}

/** The value of a result, or the failure that the tool reports with it. */
export const resultOf = (source: string, tool: string, result: ToolResult): Json | ToolFailed => {
  const { isError, value } = result ?? {}
  if (!isPlain(value)) {
    return toolFailure(
      tool,
      "internal",
      `the tool source "${source}" gave a result without a plain \`value\` for "${tool}"; return { value: … } of JSON`,
    )
  }
  if (isTooDeep(value)) {
    return toolFailure(tool, "invalid_output", `the result of "${tool}" ${TOO_DEEP}`)
  }
  if (isLargerThan(value, MAX_RESULT_CHARACTERS)) {
    return toolFailure(
      tool,
      "invalid_output",
      `the result of "${tool}" has more than ${MAX_RESULT_CHARACTERS.toLocaleString("en")} characters; write it to a file in the folder of the run, and give its path`,
    )
  }
  if (isError !== true) return value
  const said = saidIn(value)
  const why = said === undefined ? "" : `: ${oneLine(said)}`
  return toolFailure(tool, "tool_error", `"${tool}" reported an error${why}`, value)
}

/** The words of an error that a tool reports: a text, or the member that most services give them. */
const saidIn = (value: Json): string | undefined => {
  if (typeof value === "string") return value
  if (!isObject(value)) return undefined
  const { error, message, text } = value
  return [message, error, text, isObject(error) ? error["message"] : undefined].find(
    (one): one is string => typeof one === "string" && one !== "",
  )
}

/** Whether it can be JSON, by its outermost type. */
const isPlain = (value: unknown): boolean =>
  value !== undefined &&
  typeof value !== "function" &&
  typeof value !== "symbol" &&
  typeof value !== "bigint"

export const failed = (
  tool: string,
  reason: ToolFailed["class"],
  message: string,
  detail?: Json,
): Effect.Effect<never, ToolFailed> => Effect.fail(toolFailure(tool, reason, message, detail))

export const toolFailure = (
  tool: string,
  reason: ToolFailed["class"],
  message: string,
  detail?: Json,
): ToolFailed =>
  new ToolFailed({ tool, class: reason, message, ...(detail === undefined ? {} : { detail }) })
