/** What the parts of type inference share: how to go on, and where to say what is wrong. */
import type { Proof } from "./guards.ts"
import type { Node } from "../syntax/Node.ts"
import type { Type } from "./Type.ts"

/** Something wrong at characters `start` to `end` of the expression. */
export interface Issue {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  readonly severity?: "error" | "warning"
  readonly start: number
  readonly end: number
}

/** Names bound by `map` and the like. */
export type Bound = ReadonlyMap<string, Type>

export interface Checker {
  readonly source: string
  readonly infer: (node: Node, proof: Proof, bound: Bound) => Type
  readonly report: (issue: Issue) => void
}

/** Says that an operator cannot work on a part. */
export const objectTo = (node: Node, message: string, checker: Checker, help?: string): void =>
  checker.report({ code: "PL1202", message, help, start: node.start, end: node.end })
