/** Drops events that a later reset or migration made void. */
import { isVoid, type RunEvent } from "@planloom/plugin/effect"

export const effectiveEvents = (events: ReadonlyArray<RunEvent>): ReadonlyArray<RunEvent> => {
  let kept: Array<RunEvent> = []
  for (const event of events) {
    if (event.type === "RunReset" || event.type === "RunMigrated") {
      kept = kept.filter((earlier) => !isVoid(earlier, event))
    }
    kept.push(event)
  }
  return kept
}
