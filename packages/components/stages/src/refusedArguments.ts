/** What a user is shown of a call whose arguments the tool does not take. */
import { requiredOf } from "@planloom/planning"
import type { Json, JsonObject, StageContext, Tool, ToolFailed } from "@planloom/plugin/effect"
import { argumentsText, labelOfParam } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"

/** Names what is missing, else what does not fit. */
export const refusedArguments = (
  failure: ToolFailed,
  { params, tool }: { readonly tool: Tool; readonly params: JsonObject },
  { language, say }: { readonly language: string | undefined; readonly say: Say },
): string => {
  const missing = requiredOf(tool).filter((name) => params[name] === undefined)
  return missing.length > 0
    ? say("missing", {
        values: missing.map((name) => labelOfParam(tool, name, language)).join(", "),
      })
    : say("invalid", { values: argumentsText(tool, invalidParams(failure, params), language) })
}

type Say = (
  name: string,
  values: NonNullable<NonNullable<Parameters<StageContext["text"]>[1]>["values"]>,
) => string

/** A condition of the tool does not hold; its message is for the user. */
export const isUnmet = ({ detail }: ToolFailed): boolean =>
  isObject(detail) && Object.hasOwn(detail, "requires")

/** The arguments do not fit the tool's schema, and the tool was not called: its own refusals have a message for the user. */
export const isOfArguments = (
  { class: reason, detail }: ToolFailed,
  { params, tool }: { readonly tool: Tool; readonly params: JsonObject },
): boolean =>
  reason === "invalid_request" &&
  (Array.isArray(detail) || requiredOf(tool).some((name) => params[name] === undefined))

/** The arguments that a failure is about; all of them if it names none. */
const invalidParams = ({ detail }: ToolFailed, params: JsonObject): JsonObject => {
  const issues: ReadonlyArray<Json> = Array.isArray(detail) ? detail : []
  const paths = issues.flatMap((issue) => (isObject(issue) ? [String(issue["path"])] : []))
  const named = Object.entries(params).filter(([name]) =>
    paths.some((path) => path.split("/")[1] === name),
  )
  return named.length === 0 ? params : Object.fromEntries(named)
}
