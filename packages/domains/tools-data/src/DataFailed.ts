/** Failure of a table operation, before it is attributed to a tool. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { FailureClass, Json } from "@planloom/plugin/effect"

/** `message` is one sentence for people; the class is `invalid_request` if the same call would fail again. */
export class DataFailed extends Data.TaggedError("DataFailed")<{
  readonly class: FailureClass
  readonly message: string
  readonly detail?: Json
}> {}

/** Failure for arguments that do not fit the table. `detail` helps to repair them. */
export const refused = (message: string, detail?: Json): DataFailed =>
  new DataFailed({
    class: "invalid_request",
    message,
    ...(detail === undefined ? {} : { detail }),
  })

/** Failure for data that cannot be read or processed. */
export const failed = (message: string): DataFailed =>
  new DataFailed({ class: "tool_error", message })

/** Runs code that may throw `DataFailed`; any other exception is a defect. */
export const attempt = <A>(work: () => A): Effect.Effect<A, DataFailed> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (error) {
      if (error instanceof DataFailed) return Effect.fail(error)
      throw error
    }
  })
