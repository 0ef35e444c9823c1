/** Service that receives the progress of long statements. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export type Progress = (message: string, fraction?: number) => Effect.Effect<void>

/** Does nothing unless the tool source provides the invocation's progress function. */
export const Progress: Context.Reference<Progress> = Context.Reference("tools-data/Progress", {
  defaultValue: (): Progress => () => Effect.void,
})
