/** What a condition proves about the paths in it: `has(a.b) && …` may read `a.b` after the `&&`. */
import { pathOf } from "../syntax/Node.ts"
import type { Node } from "../syntax/Node.ts"

/** Paths, joined by dots, that are known to be there or known not to be null. */
export interface Proof {
  readonly present: ReadonlySet<string>
  readonly notNull: ReadonlySet<string>
}

export const nothing: Proof = { present: new Set(), notNull: new Set() }

export const both = (a: Proof, b: Proof): Proof =>
  a === nothing
    ? b
    : b === nothing
      ? a
      : {
          present: new Set([...a.present, ...b.present]),
          notNull: new Set([...a.notNull, ...b.notNull]),
        }

/** What holds where the node has turned out to be `outcome`. */
export const proves = (node: Node, outcome: boolean): Proof => {
  if (node.op === "unary" && node.operator === "!") return proves(node.of, !outcome)
  if (node.op === "call" && node.name === "has" && !node.receiver && outcome) {
    const path = node.args[0] && pathOf(node.args[0])
    return path ? present(path) : nothing
  }
  if (node.op !== "binary") return nothing
  const { operator, left, right } = node
  if ((operator === "&&" && outcome) || (operator === "||" && !outcome)) {
    return both(proves(left, outcome), proves(right, outcome))
  }
  if ((operator === "==" && outcome) || (operator === "!=" && !outcome)) {
    return both(equals(left, right), equals(right, left))
  }
  if ((operator === "!=" && outcome) || (operator === "==" && !outcome)) {
    return both(differsFromNull(left, right), differsFromNull(right, left))
  }
  return nothing
}

/** Every way to a path proves the ways before it: has(a.b.c) needs a.b. */
const present = (path: ReadonlyArray<string>): Proof => ({
  present: new Set(path.map((_, index) => path.slice(0, index + 1).join("."))),
  notNull: new Set(),
})

/** A stage whose outcome is success has its output; what failed has its error. */
const equals = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (names?.at(-1) !== "outcome" || value.op !== "literal") return nothing
  const shows =
    value.value === "success" ? "output" : value.value === "failure" ? "error" : undefined
  return shows === undefined ? nothing : present([...names.slice(0, -1), shows])
}

const differsFromNull = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (!names || value.op !== "literal" || value.value !== null) return nothing
  return { present: new Set(), notNull: new Set([names.join(".")]) }
}
