/** Types the expressions of a section that its plugin evaluates, and lists what they read. */
import type { Json, SectionExpression } from "@planloom/plugin/effect"
import { noProof } from "@planloom/expression/check"
import type { Definition, DocumentPath } from "../../definition/Definition.ts"
import type { Problem } from "../../definition/Problem.ts"
import type { Resources } from "../../definition/Resources.ts"
import { Analysis } from "../../definition/scope/Analysis.ts"
import { onlyRoots } from "../../definition/scope/environment.ts"
import { Examination } from "../../definition/scope/examine/Examination.ts"

export interface ExaminedExpressions {
  readonly problems: ReadonlyArray<Problem>
  readonly references: ReadonlyArray<ReadonlyArray<string>>
}

const none: ExaminedExpressions = { problems: [], references: [] }

export const examineExpressions = (
  expressions: ReadonlyArray<SectionExpression> = [],
  value: Json,
  base: DocumentPath,
  definition: Definition,
  resources: Resources,
): ExaminedExpressions => {
  if (expressions.length === 0) return none
  const analysis = new Analysis(definition, resources)
  const examination = new Examination(analysis)
  for (const { at, result, variables } of expressions) {
    const text = at.reduce<Json | undefined>(
      (outer, step) => (outer as { readonly [key: string]: Json } | undefined)?.[step],
      value,
    )
    if (typeof text !== "string") continue
    const reading = { environment: onlyRoots(variables, analysis), proof: noProof }
    examination.expression(text, [...base, ...at], reading, result)
  }
  return examination
}
