/** Model text → checked JSON, or the exact reasons why not. */
import type { Json, JsonSchema } from "@planloom/plugin"
import { validatorOf, type SchemaIssue } from "../definition/Validator.ts"

export type Structured =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string; readonly issues: ReadonlyArray<SchemaIssue> }

/**
 * Reads the JSON value a reply holds: the whole text, else its last fenced block, else the text from
 * its first bracket to the last matching one. Nothing is repaired and nothing is invented.
 */
export const structured = (text: string, schema: JsonSchema): Structured => {
  const parsed = firstParsed(candidates(text))
  if (parsed === undefined) {
    return { ok: false, reason: "the reply holds no JSON value", issues: [] }
  }
  const issues = validatorOf(schema)(parsed.value)
  return issues.length === 0
    ? { ok: true, value: parsed.value }
    : { ok: false, reason: issues.map(describe).join("; "), issues }
}

const describe = (issue: SchemaIssue) =>
  `${issue.path === "" ? "the value" : issue.path} ${issue.message}`

function* candidates(text: string): Generator<string> {
  const trimmed = text.trim()
  yield trimmed
  const fences = [...trimmed.matchAll(/```[a-z]*\s*\n([\s\S]*?)```/gi)]
  for (const fence of fences.reverse()) yield fence[1]!.trim()
  const open = trimmed.search(/[{[]/)
  if (open < 0) return
  const close = Math.max(trimmed.lastIndexOf("}"), trimmed.lastIndexOf("]"))
  if (close > open) yield trimmed.slice(open, close + 1)
}

const firstParsed = (texts: Iterable<string>): { readonly value: Json } | undefined => {
  for (const text of texts) {
    try {
      return { value: JSON.parse(text) as Json }
    } catch {
      continue
    }
  }
  return undefined
}
