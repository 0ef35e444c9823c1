/** An edit in terms of a document: which part of it is written anew, before the part has an offset. */
import type { Json } from "@planloom/plugin/effect"
import type { TextFix } from "@planloom/expression/check"
import { onlyNear } from "@planloom/expression/suggestion"
import type { Document, DocumentPath } from "../source/Document.ts"
import { joined, type Replacement } from "../source/Replacement.ts"
import { withoutEntry } from "../source/layout.ts"
import { partText, scalarText } from "../source/scalarText.ts"

export type Fix =
  /** The key of the problem's entry has another name. */
  | { readonly key: string }
  /** The value is another text, number or condition. */
  | { readonly value: string | number | boolean }
  /** The value is other YAML. */
  | { readonly yaml: string }
  /** The entry is another one, or gone where this is empty. */
  | { readonly entry: string }
  /** Characters of the value, which is a text, are others; those that the problem marks unless given. */
  | { readonly text: string; readonly from?: number; readonly to?: number }
  /** Anything else: replacements that belong together. */
  | {
      readonly write: (
        document: Document,
        path: DocumentPath,
      ) => ReadonlyArray<Replacement> | undefined
    }

const scalarJson = (value: string | number | boolean, isFlow: boolean): string =>
  typeof value === "string" ? scalarText(value, isFlow) : String(value)

/** The one known word that a value can only mean. */
export const nearValue = (value: unknown, words: Iterable<string>): Fix | undefined => {
  const near = typeof value === "string" ? onlyNear(value, words) : undefined
  return near === undefined ? undefined : { value: near }
}

/** The one known key that an unknown one can only mean; one that is there already was not meant. */
export const nearKey = (
  key: string,
  known: ReadonlyArray<string>,
  present: ReadonlyArray<string>,
): Fix | undefined => {
  const near = onlyNear(key, known)
  const isFree =
    near !== undefined &&
    present.every(
      (other) => other === key || (other !== near && onlyNear(other, [near]) === undefined),
    )
  return isFree ? { key: near } : undefined
}

/** The edit of an expression that begins at a character of its text. */
export const fixedText = (fix: TextFix | undefined, from = 0): Fix | undefined =>
  fix && { from: from + fix.start, to: from + fix.end, text: fix.text }

interface FixPlace {
  readonly path: DocumentPath
  readonly within?: { readonly from: number; readonly to: number } | undefined
}

/** The replacement in the file; undefined where a comment would be lost, or the document cannot hold the text in its style. */
export const replacementOf = (
  document: Document,
  place: FixPlace,
  fix: Fix,
): Replacement | undefined => {
  const found = replacementAt(document, place, fix)
  const comments = found && document.file.text.slice(found.from, found.to).match(/(?<=^|\s)#.*$/gm)
  return comments?.every((comment) => found!.text.includes(comment.trim())) === false
    ? undefined
    : found
}

const replacementAt = (
  document: Document,
  { path, within }: FixPlace,
  fix: Fix,
): Replacement | undefined => {
  if ("write" in fix) {
    const parts = fix.write(document, path)
    return parts && joined(document.file.text, parts)
  }
  if ("key" in fix) {
    const key = document.written(path, "key")
    return key && { from: key.from, to: key.to, text: scalarText(fix.key, true) }
  }
  if ("entry" in fix) {
    const entry = document.written(path, "entry")
    if (fix.entry === "") return withoutEntry(document, path)
    return entry && { from: entry.from, to: entry.to, text: fix.entry }
  }
  if ("value" in fix || "yaml" in fix) {
    const value = document.written(path, "value")
    if (value === undefined || value.from === value.to) return undefined
    const { from, isFlow, to } = value
    return { from, to, text: "yaml" in fix ? fix.yaml : scalarJson(fix.value, isFlow) }
  }
  const { from = within?.from, text, to = within?.to } = fix
  return from === undefined || to === undefined
    ? undefined
    : textReplacement(document, path, { from, to, text })
}

/** Characters of a text value; all of it is written anew where its style cannot hold them. */
const textReplacement = (
  document: Document,
  path: DocumentPath,
  { from, text, to }: Replacement,
): Replacement | undefined => {
  const value = textAt(document.value, path)
  const offsets = document.offsets(path)
  const whole = document.written(path, "value") ?? document.written(path.slice(0, -1), "value")
  if (value === undefined || offsets === undefined || whole?.style === undefined) return undefined
  const changed = value.slice(0, from) + text + value.slice(to)
  const { isFlow, style } = whole
  const isAsWritten = style !== "PLAIN" || scalarText(changed, isFlow) === changed
  const part = isAsWritten ? partText(text, style) : undefined
  return part === undefined
    ? { from: whole.from, to: whole.to, text: scalarText(changed, isFlow) }
    : { from: offsets[from]!, to: offsets[to]!, text: part }
}

/** The text at a path; that of a shorthand (`for_each: inputs.rows`), which its longer form has further down. */
const textAt = (value: Json, path: DocumentPath): string | undefined => {
  let at: unknown = value
  for (const step of path) {
    if (typeof at === "string") return at
    // One entry may stand without its list.
    if (step === 0 && !Array.isArray(at)) continue
    at = (at as { readonly [key: string | number]: unknown } | null)?.[step]
  }
  return typeof at === "string" ? at : undefined
}
