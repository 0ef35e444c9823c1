/** A strategy that ends by saying, in one short line, what it found: the note `summary`. */
import * as Effect from "effect/Effect"
import type { Json, StageContext, Strategy } from "@planloom/plugin"

/** `say` gives the line for people, or undefined where there is nothing worth saying. */
export const withSummary =
  <Input>(
    strategy: Strategy<Input>,
    say: (output: Json, input: Input, context: StageContext) => string | undefined,
  ): Strategy<Input> =>
  (input, context) =>
    Effect.tap(strategy(input, context), (output) => {
      const line = say(output, input, context)
      return line === undefined || line === "" ? Effect.void : context.note("summary", line)
    })
