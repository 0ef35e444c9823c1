/** Shared interface of the parts of type inference: infers subexpressions and reports issues. */
import type { Proof } from "./guards.ts"
import type { Node } from "../syntax/Node.ts"
import type { Type } from "./Type.ts"

/** An issue at characters `start` to `end` of the expression. */
export interface Issue {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  readonly severity?: "error" | "warning" | "note"
  readonly start: number
  readonly end: number
}

/** Types of names bound by macros such as `map`. */
export type Bound = ReadonlyMap<string, Type>

export interface Checker {
  readonly source: string
  readonly infer: (node: Node, proof: Proof, bound: Bound) => Type
  readonly report: (issue: Issue) => void
}

/** Reports an operand that its operator cannot accept. */
export const reportOperand = (node: Node, message: string, checker: Checker, help?: string): void =>
  checker.report({ code: "PL1202", message, help, start: node.start, end: node.end })
