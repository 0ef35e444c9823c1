/** Outputs of stages that are known before the run. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { ExpressionScope } from "@planloom/expression"
import type { Block, Node } from "@planloom/core/internal"
import { isKnown } from "./isKnown.ts"

/** The scope with the outputs that the stages of the workflow have in every run in which they come to an end. */
export const withForeseen = (scope: ExpressionScope, { nodes }: Block): ExpressionScope => {
  const stages: { [id: string]: Json } = {}
  const known = { ...scope, stages }
  for (const node of nodes) {
    const output = outputOf(node, known)
    if (output !== undefined) stages[node.id] = { outcome: "success", output }
  }
  return Object.keys(stages).length === 0 ? scope : known
}

/** Undefined for a stage that may be skipped, may fail without an end of the run, or whose output a hook may change. */
const outputOf = (
  { condition, fallback, forEach, hooks, onError, work }: Node,
  scope: ExpressionScope,
): Json | undefined => {
  if (work.type !== "kind" || work.kind.foresees === undefined) return undefined
  if (condition !== undefined || forEach !== undefined || fallback !== undefined) return undefined
  if (hooks !== undefined || onError === "continue") return undefined
  if (!isKnown(work.with, scope)) return undefined
  try {
    const given = work.with.evaluate(scope) as JsonObject
    return (work.kind.foresees as (input: JsonObject) => Json)(given)
  } catch {
    return undefined
  }
}
