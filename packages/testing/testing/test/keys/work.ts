/** A stage kind that takes time, fails when it should and returns a value. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind, type FailureClass, type Json } from "@planloom/plugin/effect"

interface Input {
  readonly value: Json
  /** Milliseconds. */
  readonly takes: number
  /** Classes of its failures, in turn. */
  readonly fails?: FailureClass | ReadonlyArray<FailureClass>
  /** How many of the first attempts fail; all unless given. */
  readonly times: number
}

export const work = () => {
  let tries = 0
  return stageKind<Input>({
    id: "work",
    summary: "Works for a while.",
    input: {
      type: "object",
      additionalProperties: false,
      properties: {
        value: { default: null },
        takes: { type: "integer", default: 0 },
        fails: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        times: { type: "integer", default: 1000 },
      },
    },
    output: true,
    run: ({ fails = [], takes, times, value }, { note }) =>
      Effect.andThen(
        takes === 0 ? Effect.void : Effect.sleep(takes),
        Effect.suspend(() => {
          const classes = [fails].flat() as ReadonlyArray<FailureClass>
          const failure = tries < times ? classes[tries % classes.length] : undefined
          tries++
          return failure === undefined
            ? Effect.as(note("worked", value), value)
            : Effect.fail(new StageFailed({ class: failure, message: `try ${tries}` }))
        }),
      ),
  })
}
