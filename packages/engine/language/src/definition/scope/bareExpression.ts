/** The expression of a condition, which is written without `${{ }}`; with one around all of it, what that holds. */
import { parseTemplate } from "@planloom/expression/check"
import type { Problem } from "../Problem.ts"

export interface BareExpression {
  readonly source: string
  /** The offset of the source in the text. */
  readonly from: number
}

export const bareExpression = (
  text: string,
): BareExpression | { readonly unclosed: number } | { readonly problem: Omit<Problem, "path"> } => {
  const braces = /^\s*\{\{(.*)\}\}\s*$/.exec(text)?.[1]
  if (braces !== undefined) {
    const problem = {
      code: "PL1003",
      message: "{{ }} is not read here",
      help: `write ${braces.trim()}`,
      fix: { text: braces.trim(), from: 0, to: text.length },
    }
    return { problem }
  }
  if (!text.includes("${{")) return { source: text, from: 0 }
  const { parts, unclosed } = parseTemplate(text)
  if (unclosed !== undefined) return { unclosed }
  const written = parts.filter((part) => part.type === "expression" || part.text.trim() !== "")
  const [only] = written
  if (written.length === 1 && only?.type === "expression") {
    return { source: only.source, from: only.from }
  }
  const problem = {
    code: "PL1003",
    message: "text around ${{ }} makes this text, and text is not true or false",
    help: "write the whole condition as one expression, without ${{ }}",
  }
  return { problem }
}
