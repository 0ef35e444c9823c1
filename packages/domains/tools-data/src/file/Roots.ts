/** Service with the folders and files that a call may read; none unless the tool source provides them. */
import * as Context from "effect/Context"

export type Roots = ReadonlyArray<string>

export const Roots: Context.Reference<Roots> = Context.Reference("tools-data/Roots", {
  defaultValue: (): Roots => [],
})
