/** Runs the work of one occurrence: a stage kind, or the stages inside it; and its fallback. */
import type { Effect } from "effect/Effect"
import type { Failure, Json, StageFailed } from "@planloom/plugin/effect"
import type { BlockWork } from "../../pipeline/Pipeline.ts"
import { runStages } from "../schedule/runStages.ts"
import { isKindOccurrence, type Occurrence } from "./Occurrence.ts"
import { outputMismatch, runKind } from "./runKind.ts"

export const runOccurrence = (occurrence: Occurrence): Effect<Json, Failure> =>
  isKindOccurrence(occurrence)
    ? runKind(occurrence)
    : runStages({ ...occurrence, work: occurrence.node.work as BlockWork })

/** The mismatch of an output that no attempt has checked. */
export const uncheckedMismatch = (
  { checked, node }: Occurrence,
  output: Json,
): StageFailed | undefined =>
  checked || node.work.type === "block" ? undefined : outputMismatch(node.work, node.id, output)

/** Runs the fallback, which checks its own output. */
export const runFallback = (occurrence: Occurrence): Effect<Json, Failure> => {
  const { node, path } = occurrence
  return runKind({
    ...occurrence,
    node: { ...node, policy: undefined, work: node.fallback! },
    path: `${path}/fallback`,
    feedback: undefined,
    withoutModel: undefined,
    answers: [],
    checked: true,
  })
}
