/** Adds the note `summary` to a strategy: one line about its output. */
import * as Effect from "effect/Effect"
import type { Json, StageContext, Strategy } from "@planloom/plugin/effect"

/** `summarize` returns the line, or undefined if there is nothing to report. */
export const withSummary =
  <Input>(
    strategy: Strategy<Input>,
    summarize: (output: Json, input: Input, context: StageContext) => string | undefined,
  ): Strategy<Input> =>
  (input, context) =>
    Effect.tap(strategy(input, context), (output) => {
      const line = summarize(output, input, context)
      return line === undefined || line === "" ? Effect.void : context.note("summary", line)
    })
