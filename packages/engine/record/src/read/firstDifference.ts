/** Locates the first difference between a replayed run and its record. */
import type { RecordedRun } from "@planloom/plugin/effect"
import type { StageChange } from "../reset/changes.ts"
import type { Replayed } from "./Replayed.ts"

export interface Difference {
  readonly step: string
  readonly why: string
}

/** In recorded order. `changes` are those of the workflow since the run. A run that has not ended may lack its last steps. */
export const firstDifference = (
  { missing, same, unused }: Replayed,
  changes: ReadonlyArray<StageChange>,
  { events, finishedAt }: RecordedRun,
): Difference | undefined => {
  const changed = new Map(
    changes.flatMap((change) => (change.invalidates ? [[change.stage, change] as const] : [])),
  )
  for (const event of events) {
    if (event.type !== "StageStarted") continue
    const change = changed.get(event.stage)
    if (change === undefined) continue
    const why =
      change.change === "removed"
        ? "the stage was removed from the workflow"
        : `its ${change.parts.join(" and ")} has changed`
    return { step: event.path, why }
  }
  const hasEnded = finishedAt !== undefined
  if (missing !== undefined && !same && hasEnded) {
    return { step: missing, why: "it is missing from the record" }
  }
  return unused === undefined || !hasEnded
    ? undefined
    : { step: unused, why: "the workflow does not use it" }
}
