/** Suspensions: runs that cannot continue without an answer. */
import * as Cause from "effect/Cause"
import { Suspended, type FailureRecord, type Json, type Wait } from "@planloom/plugin/effect"

/** The suspension in a cause; undefined when anything failed beside it, because a failed run does not wait. */
export const suspensionIn = (cause: Cause.Cause<unknown>): Suspended | undefined => {
  let waits: ReadonlyArray<Wait> | undefined
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason)) return undefined
    if (!Cause.isDieReason(reason)) continue
    if (!(reason.defect instanceof Suspended)) return undefined
    waits = waits === undefined ? reason.defect.waits : together([waits, reason.defect.waits])
  }
  return waits === undefined ? undefined : new Suspended({ waits })
}

/** The failure of a run that cannot be suspended, because it is not recorded. */
export const unanswered = ({ waits }: Suspended): FailureRecord => ({
  class: "clarification",
  message: waits.map(({ message }) => message).join("; "),
  detail: { waits: waits as unknown as Json },
  stage: waits[0]!.path,
})

/** Each question once. */
export const together = (lists: ReadonlyArray<ReadonlyArray<Wait>>): ReadonlyArray<Wait> => [
  ...new Map(lists.flat().map((wait) => [wait.name, wait] as const)).values(),
]
