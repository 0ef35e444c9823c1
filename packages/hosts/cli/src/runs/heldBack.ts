/** The output that a stage held back to ask its user instead. */
import type { Json, RecordedRun } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

/** Of the stage at a path, with its confidence; undefined if the record does not have it. */
export const heldBack = ({ steps }: Pick<RecordedRun, "steps">, path: string): Json | undefined => {
  for (const { name, outcome } of steps) {
    if (!name.startsWith(`${path}/`) || outcome.ok || outcome.tag !== "StageFailed") continue
    const { class: reason, detail } = outcome.failure
    if (reason === "clarification" && isObject(detail) && "confidence" in detail) return detail
  }
  return undefined
}
