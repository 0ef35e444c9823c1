/** Runs the work of one occurrence: a stage kind, or the stages inside it; and its fallback. */
import type { Effect } from "effect/Effect"
import type { Failure, Json, StageFailed } from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { TimeLimit } from "../../model/limit/TimeLimit.ts"
import type { BlockWork, Node } from "../../pipeline/Pipeline.ts"
import { runStages } from "../schedule/runStages.ts"
import { isKindOccurrence, Occurrence, type KindOccurrence } from "./Occurrence.ts"
import { outputMismatch } from "./attempt/makeAttempt.ts"
import { runKind } from "./runKind.ts"

/** `limit`: the time limit of the loop that the occurrence runs in, if its failures leave the loop. */
export const runOccurrence = (
  occurrence: Occurrence,
  limit: TimeLimit | undefined,
): Effect<Json, Failure> =>
  isKindOccurrence(occurrence)
    ? runKind(occurrence, limit)
    : runStages(occurrence, occurrence.node.work as BlockWork)

/** The mismatch of an output that no attempt has checked. */
export const uncheckedMismatch = (
  { checked, node }: Occurrence,
  output: Json,
): StageFailed | undefined =>
  checked || node.work.type === "block" ? undefined : outputMismatch(node.work, node.id, output)

/** Runs the fallback, which checks its own output. */
export const runFallback = ({ frame, nested, node, path }: Occurrence): Effect<Json, Failure> => {
  const instead: Node = { ...node, policy: undefined, work: node.fallback! }
  const name = below(path, "fallback", 1)
  const fallback = new Occurrence(instead, frame, name, nested, undefined, undefined)
  fallback.checked = true
  return runKind(fallback as KindOccurrence, undefined)
}
