/** Checks the cases of a switch against the values that its expression can have. */
import {
  bool,
  int,
  nullType,
  parseExpression,
  provenBy,
  string,
  SyntaxProblem,
  union,
  combineProofs,
  noProof,
} from "@planloom/expression/check"
import type { Proof, Type } from "@planloom/expression/check"
import { unwrapExpression } from "@planloom/expression"
import { hint } from "@planloom/expression/suggestion"
import { nearKey } from "../../Fix.ts"
import type { Examination, Reading } from "./Examination.ts"
import type { StageNode } from "../StageTree.ts"

const choosing = union([string, int, bool, nullType])

/** Each case is examined with what its value proves of the expression. */
export const examineBranch = (
  node: StageNode,
  reading: Reading,
  examination: Examination,
  examineCase: (inner: StageNode, proof: Proof) => void,
): void => {
  const { cases, on } = node.stage.branch!
  const at = [...node.path, "with", "on"]
  const before = examination.problems.length
  const type = examination.typed(
    on,
    at,
    reading,
    choosing,
    "text, a whole number, or true or false",
  )
  const isBroken = examination.problems.length > before
  const values = valuesOf(type)
  const named = new Set(cases.map(({ name }) => name))
  const unnamed = values.known.filter((one) => !named.has(one))
  for (const [index, { at: place, name }] of cases.entries()) {
    const inner = node.inner!.stages[index]!
    examineCase(inner, combineProofs(reading.proof, proofOf(on, name)))
    const problem = { code: "PL2014", path: [...node.path, ...place], spot: "key" } as const
    if (name === null && !values.open && !values.isNull && unnamed.length === 0) {
      examination.problems.push({
        ...problem,
        severity: "warning",
        message: "`else` never runs: every value has a case",
        help: "remove it",
      })
    }
    if (name !== null && !values.open && !values.known.includes(name)) {
      examination.problems.push({
        ...problem,
        message: `this case never runs: "${node.stage.id}" has no value "${name}"`,
        help: hint(name, values.known, "the values are"),
        fix: nearKey(
          name,
          values.known,
          cases.flatMap((one) => one.name ?? []),
        ),
      })
    }
  }
  if (isBroken || cases.length === 0 || named.has(null)) return
  const missing = [...unnamed, ...(values.isNull ? ["null"] : [])]
  if (missing.length === 0 && !values.open) return
  examination.problems.push({
    code: "PL2015",
    severity: missing.length > 0 ? "error" : "warning",
    message:
      missing.length > 0
        ? `no case has the value ${missing.join(" or ")}`
        : "other values than those of the cases fail the stage",
    path: at,
    help: "add the cases, or what runs otherwise: else: { uses: set, with: { value: … } }",
  })
}

interface Values {
  /** Those that a case can name. */
  readonly known: ReadonlyArray<string>
  readonly isNull: boolean
  /** Whether there may be others. */
  readonly open: boolean
}

const valuesOf = (type: Type): Values => {
  const members = type.kind === "union" ? type.members : [type]
  const listed = members.map((member): ReadonlyArray<string> | undefined =>
    member.kind === "bool"
      ? ["true", "false"]
      : member.kind === "string"
        ? member.values
        : member.kind === "null"
          ? []
          : undefined,
  )
  return {
    known: listed.flatMap((values) => values ?? []),
    isNull: members.some(({ kind }) => kind === "null"),
    open: listed.includes(undefined),
  }
}

const proofOf = (on: string, name: string | null): Proof => {
  if (name === null) return noProof
  try {
    return provenBy(parseExpression(`(${unwrapExpression(on)}) == ${JSON.stringify(name)}`), true)
  } catch (error) {
    if (error instanceof SyntaxProblem) return noProof
    throw error
  }
}
