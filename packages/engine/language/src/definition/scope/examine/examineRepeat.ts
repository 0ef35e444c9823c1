/** Examines the expressions of a loop, and that its iterations have one type. */
import { rangeOf, unwrapExpression } from "@planloom/expression"
import {
  describeType,
  fits,
  noProof,
  number,
  referencesOf,
  SyntaxProblem,
  widen,
  type Proof,
} from "@planloom/expression/check"
import type { DocumentPath } from "../../Definition.ts"
import { MAX_ITERATIONS } from "../../shape/loops.ts"
import { ownMember } from "../../ownMember.ts"
import type { Analysis } from "../Analysis.ts"
import type { Examination, Reading } from "./Examination.ts"
import type { StageNode } from "../StageTree.ts"

export const examineRepeat = (
  node: StageNode,
  proof: Proof,
  analysis: Analysis,
  examination: Examination,
): void => {
  const { carry, max_iterations: most, next, until } = node.stage.repeat!
  const at = [...node.path, "repeat"]
  if (typeof most === "string")
    examineBound(most, [...at, "max_iterations"], node, analysis, examination)
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

/** A number of iterations that an expression gives reads only what is constant throughout a run, and has a bound. */
const examineBound = (
  given: string,
  path: DocumentPath,
  node: StageNode,
  analysis: Analysis,
  examination: Examination,
): void => {
  const before = examination.problems.length
  const environment = analysis.environment({ at: "before", node })
  examination.typed(given, path, { environment, proof: noProof }, number, "a whole number")
  const tree = analysis.parse(unwrapExpression(given))
  if (examination.problems.length > before || tree instanceof SyntaxProblem) return
  const report = (message: string, help: string) =>
    examination.problems.push({ code: "PL2009", message, path, help })
  const other = referencesOf(tree).find(([root]) => root !== "flags" && root !== "experiments")
  if (other !== undefined) {
    report(
      `the number of iterations depends on ${other.join(".")}, which is not known before a run`,
      "read flags and experiments only; to end earlier, use until",
    )
    return
  }
  const range = rangeOf(unwrapExpression(given), analysis.definition.flags)
  if (range === undefined) {
    report(
      "the number of iterations has no bound",
      "give the flag bounds, such as rounds: { default: 2, minimum: 1, maximum: 5 }, or write min([flags.rounds, 5])",
    )
  } else if (range.min < 1 || range.max > MAX_ITERATIONS) {
    report(
      range.min < 1
        ? `the number of iterations may be ${range.min === -Infinity ? "less than 1" : range.min}`
        : `the number of iterations may be ${range.max}`,
      `it is a whole number from 1 to ${MAX_ITERATIONS}: change the bounds of the flag`,
    )
  }
}
