/** What a user is shown of a call that failed. */
import * as Effect from "effect/Effect"
import type { CallReading } from "@planloom/planning/reading"
import type { ToolFailed } from "@planloom/plugin/effect"
import { titleOfTool } from "@planloom/plugin/texts"
import { isUnmet, refusedArguments } from "../refusedArguments.ts"
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
      const { language } = turn
      const say = (name: string, values: { readonly [placeholder: string]: string }) =>
        turn.say(name, values)
      return Effect.succeed(refusedArguments(failure, { tool, params }, { language, say }))
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
