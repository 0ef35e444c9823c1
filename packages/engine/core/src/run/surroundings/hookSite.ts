/** The site of hooks in a run: their surroundings, expressions, record and time limits. */
import type { HookSite } from "../../hook/HookSite.ts"
import type { CallSurroundings } from "./CallSurroundings.ts"
import { isGated, type Frame } from "../Frame.ts"

export const hookSite = (frame: Frame, surroundings: CallSurroundings): HookSite => {
  const { scope, state } = frame
  return {
    surroundings,
    scope,
    isGated: isGated(frame),
    clock: state.now,
    emit: state.emit,
    keep: (name, effect) => state.journal.step(name, effect),
  }
}
