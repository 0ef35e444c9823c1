/** What a tool source gives for a call: a value that fits the tool's schema, or a failure. */
import * as Effect from "effect/Effect"
import { ToolFailed, type Json, type ToolResult } from "@planloom/plugin/effect"
import { formatIssues, isObject, isTooDeep, rejectionOf, TOO_DEEP } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { RegisteredTool } from "@planloom/language"
import { isLargerThan, oneLine } from "./summaryOf.ts"

/** Of a result as JSON: it is recorded whole. */
const MAX_RESULT_CHARACTERS = 16_000_000

/** Fails unless the result fits the schema that the tool declares. */
export const fitting = (
  { tool: { name, result: schema } }: RegisteredTool,
  call: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> => {
  if (schema === undefined) return call
  const rejection = rejectionOf(schema)
  if (rejection !== undefined) {
    return failed(name, "invalid_request", `the result schema of "${name}": ${rejection.message}`)
  }
  return Effect.flatMap(call, (result) => {
    const issues = validatorOf(schema)(result)
    return issues.length === 0
      ? Effect.succeed(result)
      : failed(
          name,
          "invalid_output",
          `the result of "${name}" does not fit: ${formatIssues(issues, "the result")}`,
          issues.map(({ message, path }) => ({ path, message })),
        )
  })
}

/** The value of a result, or the failure that the tool reports with it. */
export const valueOf = (
  source: string,
  tool: string,
  result: ToolResult,
): Effect.Effect<Json, ToolFailed> => {
  const { isError, value } = result ?? {}
  if (!isPlain(value)) {
    return failed(
      tool,
      "internal",
      `the tool source "${source}" gave a result without a plain \`value\` for "${tool}"; return { value: … } of JSON`,
    )
  }
  if (isTooDeep(value)) return failed(tool, "invalid_output", `the result of "${tool}" ${TOO_DEEP}`)
  if (isLargerThan(value, MAX_RESULT_CHARACTERS)) {
    return failed(
      tool,
      "invalid_output",
      `the result of "${tool}" has more than ${MAX_RESULT_CHARACTERS.toLocaleString("en")} characters; write it to a file in the folder of the run, and give its path`,
    )
  }
  if (isError !== true) return Effect.succeed(value)
  const said = saidIn(value)
  const why = said === undefined ? "" : `: ${oneLine(said)}`
  return failed(tool, "tool_error", `"${tool}" reported an error${why}`, value)
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
