/** Derives what a condition proves about paths: `has(a.b) && …` allows reading `a.b` after the `&&`. */
import { pathOf } from "../syntax/Node.ts"
import type { Node } from "../syntax/Node.ts"

/** Paths, joined by dots, that are known to be present, not null, or (not) equal to a text. */
export interface Proof {
  readonly present: ReadonlySet<string>
  readonly notNull: ReadonlySet<string>
  readonly equal: ReadonlyMap<string, string>
  /** Texts that a path does not have. */
  readonly unequal: ReadonlyMap<string, ReadonlyArray<string>>
}

export const noProof: Proof = {
  present: new Set(),
  notNull: new Set(),
  equal: new Map(),
  unequal: new Map(),
}

export const combineProofs = (a: Proof, b: Proof): Proof =>
  a === noProof
    ? b
    : b === noProof
      ? a
      : {
          present: new Set([...a.present, ...b.present]),
          notNull: new Set([...a.notNull, ...b.notNull]),
          equal: new Map([...a.equal, ...b.equal]),
          unequal: new Map([
            ...a.unequal,
            ...[...b.unequal].map(
              ([path, texts]) => [path, [...(a.unequal.get(path) ?? []), ...texts]] as const,
            ),
          ]),
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
    return combineProofs(differs(left, right), differs(right, left))
  }
  return noProof
}

/** A present path proves its prefixes: has(a.b.c) implies a.b. */
const present = (path: ReadonlyArray<string>): Proof => ({
  ...noProof,
  present: new Set(path.map((_, index) => path.slice(0, index + 1).join("."))),
})

/** Also: a stage with outcome success has its output, one with failure its error. */
const equals = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (!names || value.op !== "literal" || typeof value.value !== "string") return noProof
  const same: Proof = { ...noProof, equal: new Map([[names.join("."), value.value]]) }
  if (names.at(-1) !== "outcome") return same
  const field =
    value.value === "success" ? "output" : value.value === "failure" ? "error" : undefined
  return field === undefined ? same : combineProofs(same, present([...names.slice(0, -1), field]))
}

const differs = (path: Node, value: Node): Proof => {
  const names = pathOf(path)
  if (!names || value.op !== "literal") return noProof
  if (typeof value.value === "string") {
    return { ...noProof, unequal: new Map([[names.join("."), [value.value]]]) }
  }
  if (value.value !== null) return noProof
  return { ...noProof, notNull: new Set([names.join(".")]) }
}
