/** The site of hooks in a run: their surroundings, expressions, record and time limits. */
import type { HookSite } from "../../hook/HookSite.ts"
import type { CallSurroundings } from "./CallSurroundings.ts"
import type { Frame } from "../Frame.ts"

export const hookSite = ({ scope, state }: Frame, surroundings: CallSurroundings): HookSite => ({
  surroundings,
  scope,
  clock: state.now,
  emit: state.emit,
  keep: (name, effect) => state.journal.step(name, effect),
})
