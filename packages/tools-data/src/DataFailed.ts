/** What can go wrong with a table, before it is known which tool asked. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { FailureClass, Json } from "@planloom/plugin"

/** One sentence for a person; `invalid_request` when the same call would fail again. */
export class DataFailed extends Data.TaggedError("DataFailed")<{
  readonly class: FailureClass
  readonly message: string
  readonly detail?: Json
}> {}

/** The arguments do not fit the table. `detail` is for the one who repairs them. */
export const refused = (message: string, detail?: Json): DataFailed =>
  new DataFailed({
    class: "invalid_request",
    message,
    ...(detail === undefined ? {} : { detail }),
  })

/** The data itself cannot be read or worked on. */
export const failed = (message: string): DataFailed =>
  new DataFailed({ class: "tool_error", message })

/** Runs plain code that throws `DataFailed`; anything else it throws is a defect. */
export const attempt = <A>(work: () => A): Effect.Effect<A, DataFailed> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (error) {
      if (error instanceof DataFailed) return Effect.fail(error)
      throw error
    }
  })
