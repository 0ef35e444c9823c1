/** Shared interface of the parts of type inference: infers subexpressions and reports issues. */
import type { Proof } from "./guards.ts"
import type { Node } from "../syntax/Node.ts"
import type { TextFix } from "../syntax/TextFix.ts"
import type { FieldIssue, Type } from "./Type.ts"

/** An issue at characters `start` to `end` of the expression. */
export interface Issue {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  readonly severity?: "error" | "warning" | "note"
  readonly start: number
  readonly end: number
  readonly fix?: TextFix | undefined
}

/** Types of names bound by macros such as `map`. */
export type Bound = ReadonlyMap<string, Type>

export interface Checker {
  readonly source: string
  readonly infer: (node: Node, proof: Proof, bound: Bound) => Type
  readonly report: (issue: Issue) => void
}

/** Reports an operand that its operator cannot accept; `fix` is the text in its place. */
export const reportOperand = (
  { end, start }: Node,
  message: string,
  checker: Checker,
  help?: string,
  fix?: TextFix,
): void => checker.report({ code: "PL1202", message, help, start, end, fix })

/** The issue of a name, at its place. */
export const namedIssue = (
  { fix, ...issue }: FieldIssue & Pick<Issue, "severity">,
  start: number,
  end: number,
): Issue => {
  const { after, text } = typeof fix === "object" ? fix : { after: 0, text: fix }
  return {
    ...issue,
    start,
    end,
    ...(text === undefined ? {} : { fix: { start, end: end + after, text } }),
  }
}
