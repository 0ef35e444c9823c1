/** Whether all that an expression reads is known before the run: `has(stages.a.output)` has a value without it, too. */
import type { CompiledValue, ExpressionScope } from "@planloom/expression"

export const isKnown = (
  { references }: Pick<CompiledValue, "references">,
  scope: ExpressionScope,
): boolean =>
  references.every(([root, stage]) => {
    if (root === undefined || !Object.hasOwn(scope, root)) return false
    if (root !== "stages") return true
    return stage !== undefined && Object.hasOwn(scope[root] as object, stage)
  })
