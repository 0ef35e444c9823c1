/** Examines the expressions of a loop, and that its iterations have one type. */
import { describeType, fits, widen, type Proof } from "@planloom/expression/check"
import { ownMember } from "../ownMember.ts"
import type { Analysis } from "./Analysis.ts"
import type { Examination, Reading } from "./Examination.ts"
import type { StageNode } from "./StageTree.ts"

export const examineRepeat = (
  node: StageNode,
  proof: Proof,
  analysis: Analysis,
  examination: Examination,
): void => {
  const { carry, next, until } = node.stage.repeat!
  const at = [...node.path, "repeat"]
  const reading: Reading = {
    environment: analysis.environment({ at: "iteration", node }),
    proof,
  }
  examination.condition(until, [...at, "until"], reading, until !== "false")
  examination.value(next, [...at, "next"], reading)
  const iter = analysis.iterType(node)
  const scope = analysis.at({ at: "iteration", node })
  for (const name of Object.keys(next)) {
    if (!Object.hasOwn(carry, name)) {
      examination.problems.push({
        code: "PL2010",
        message: `"${name}" is in next but not in carry`,
        path: [...at, "next", name],
        spot: "key",
        help: `give its start value: carry: { ${name}: … }`,
      })
      continue
    }
    const given = widen(analysis.valueType(next[name]!, scope))
    const wanted = ownMember(iter.fields, name)?.type
    if (wanted && !fits(given, wanted)) {
      examination.problems.push({
        code: "PL2010",
        message: `"${name}" starts as ${describeType(wanted)}, but next gives ${describeType(given)}`,
        path: [...at, "next", name],
        help: "every iteration needs the same type in iter",
      })
    }
  }
  for (const name of Object.keys(carry)) {
    if (Object.hasOwn(next, name)) continue
    examination.problems.push({
      code: "PL2010",
      message: `"${name}" is in carry but not in next`,
      path: [...at, "carry", name],
      spot: "key",
      help: `give its next value; to keep it: next: { ${name}: "\${{ iter.${name} }}" }`,
    })
  }
}
