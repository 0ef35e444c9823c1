/** Derives what a condition proves about paths: `has(a.b) && …` allows reading `a.b` after the `&&`. */
import { pathOf } from "../syntax/Node.ts"
import type { Node } from "../syntax/Node.ts"

/** Paths, joined by dots, that are known to be present or not null. */
export interface Proof {
  readonly present: ReadonlySet<string>
  readonly notNull: ReadonlySet<string>
}

export const noProof: Proof = { present: new Set(), notNull: new Set() }

export const combineProofs = (a: Proof, b: Proof): Proof =>
  a === noProof
    ? b
    : b === noProof
      ? a
      : {
          present: new Set([...a.present, ...b.present]),
          notNull: new Set([...a.notNull, ...b.notNull]),
        }

/** What is proven if the node evaluates to `outcome`. */
export const provenBy = (node: Node, outcome: boolean): Proof => {
  if (node.op === "unary" && node.operator === "!") return provenBy(node.of, !outcome)
  if (node.op === "call" && node.name === "has" && !node.receiver && outcome) {
    const path = node.args[0] && pathOf(node.args[0])
    return path ? present(path) : noProof
  }
  if (node.op !== "binary") return noProof
  const { operator, left, right } = node
  if ((operator === "&&" && outcome) || (operator === "||" && !outcome)) {
    return combineProofs(provenBy(left, outcome), provenBy(right, outcome))
  }
  if ((operator === "==" && outcome) || (operator === "!=" && !outcome)) {
    return combineProofs(equals(left, right), equals(right, left))
  }
  if ((operator === "!=" && outcome) || (operator === "==" && !outcome)) {
    return combineProofs(differsFromNull(left, right), differsFromNull(right, left))
  }
  return noProof
}

/** A present path proves its prefixes: has(a.b.c) implies a.b. */
const present = (path: ReadonlyArray<string>): Proof => ({
  present: new Set(path.map((_, index) => path.slice(0, index + 1).join("."))),
  notNull: new Set(),
})

/** A stage with outcome success has its output, one with failure its error. */
const equals = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (names?.at(-1) !== "outcome" || value.op !== "literal") return noProof
  const field =
    value.value === "success" ? "output" : value.value === "failure" ? "error" : undefined
  return field === undefined ? noProof : present([...names.slice(0, -1), field])
}

const differsFromNull = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (!names || value.op !== "literal" || value.value !== null) return noProof
  return { present: new Set(), notNull: new Set([names.join(".")]) }
}
