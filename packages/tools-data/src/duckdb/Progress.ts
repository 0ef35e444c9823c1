/** Who is told how far a long statement is. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export type Progress = (message: string, fraction?: number) => Effect.Effect<void>

/** Nobody, unless the tool source provides the invocation's own. */
export const Progress: Context.Reference<Progress> = Context.Reference("tools-data/Progress", {
  defaultValue: (): Progress => () => Effect.void,
})
