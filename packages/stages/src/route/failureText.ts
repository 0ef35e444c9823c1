/** What a user is shown of a call that failed. */
import * as Effect from "effect/Effect"
import type { CallReading } from "@planloom/planning/reading"
import type { Json, JsonObject, ToolFailed } from "@planloom/plugin/effect"
import { argumentsText, titleOfTool } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import type { Turn } from "./Turn.ts"

/** Failures of the call itself are reported in words for the user; others end the stage. */
export const failureText = (
  failure: ToolFailed,
  { call: { tool }, params }: Pick<CallReading, "call" | "params">,
  turn: Turn,
): Effect.Effect<string, ToolFailed> => {
  switch (failure.class) {
    case "tool_error":
      return Effect.succeed(refusal(failure, turn))
    case "invalid_request": {
      if (isUnmet(failure)) return Effect.succeed(refusal(failure, turn))
      const named = invalidParams(failure, params)
      const values = argumentsText(tool, named, turn.language)
      return Effect.succeed(turn.say("invalid", { values }))
    }
    case "cancelled":
      return Effect.succeed(turn.say("declined"))
    case "unavailable":
      return Effect.succeed(turn.say("unavailable"))
    case "timeout":
      return Effect.succeed(turn.say("late", { tool: titleOfTool(tool, turn.language) }))
    default:
      return Effect.fail(failure)
  }
}

const refusal = ({ message }: ToolFailed, turn: Turn): string =>
  turn.say("failed", { reason: message.replace(/\.$/, "") })

/** A condition of the tool does not hold; its message is for the user. */
const isUnmet = ({ detail }: ToolFailed): boolean =>
  isObject(detail) && Object.hasOwn(detail, "requires")

/** The arguments that a failure is about; all of them if it names none. */
const invalidParams = ({ detail }: ToolFailed, params: JsonObject): JsonObject => {
  const issues: ReadonlyArray<Json> = Array.isArray(detail) ? detail : []
  const paths = issues.flatMap((issue) => (isObject(issue) ? [String(issue["path"])] : []))
  const named = Object.entries(params).filter(([name]) =>
    paths.some((path) => path.split("/")[1] === name),
  )
  return named.length === 0 ? params : Object.fromEntries(named)
}
