/** Reads facets from the front matter of a Markdown text: texts, numbers, and lists of them. */
import { facetValue } from "./facetValue.ts"

export interface FrontMatter {
  readonly values: { readonly [facet: string]: ReadonlyArray<string> }
  /** Which fields are not read, in one sentence. */
  readonly problem?: string
}

/** Lines of a front matter; a text that begins with a rule is not taken for one without end. */
const MAX_LINES = 200

/** Only the wanted fields are read: the rest may be any YAML. */
export const frontMatter = (text: string, wanted: ReadonlyArray<string>): FrontMatter => {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/, MAX_LINES)
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  if (!/^---\s*$/.test(lines[0]!) || end < 0) return { values: {} }
  const values: { [facet: string]: ReadonlyArray<string> } = {}
  const unread: Array<string> = []
  for (let at = 1; at < end; at++) {
    const [, name = "", rest = ""] = /^([^\s#:'"][^:]*?)\s*:(?:\s+(.*))?$/.exec(lines[at]!) ?? []
    if (!wanted.includes(name)) continue
    const found = rest.trim() === "" ? listBelow(lines.slice(at + 1, end)) : valuesOf(rest.trim())
    if (found === undefined) unread.push(name)
    else if (found.length > 0) values[name] = found.map(facetValue)
  }
  return unread.length === 0
    ? { values }
    : {
        values,
        problem: `the front matter's ${unread.join(", ")} ${unread.length === 1 ? "is" : "are"} neither a text nor a list of texts`,
      }
}

/** The items of a list that is written a line each; undefined where something else is nested. */
const listBelow = (lines: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const nested = lines.slice(0, lines.findIndex((line) => /^[^\s#-]/.test(line)) >>> 0)
  const items = nested.filter((line) => !/^\s*(?:#.*)?$/.test(line))
  const texts = items.map((line) => {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1]
    return item === undefined ? undefined : scalarOf(item.trim())
  })
  return texts.includes(undefined) ? undefined : (texts as ReadonlyArray<string>)
}

const valuesOf = (written: string): ReadonlyArray<string> | undefined => {
  const inner = /^\[(.*)\]\s*(?:#.*)?$/.exec(written)?.[1]
  if (inner === undefined) {
    const one = scalarOf(written)
    return one === undefined ? undefined : one === "" ? [] : [one]
  }
  if (inner.trim() === "") return []
  const parts = inner.matchAll(/\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/g)
  const texts = [...parts].map(([part]) => scalarOf(part.trim()))
  return texts.includes(undefined) ? undefined : (texts as ReadonlyArray<string>)
}

/** A plain or quoted text; empty for null, undefined for anything that is no scalar. */
const scalarOf = (written: string): string | undefined => {
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(written)
  if (double !== null) return double[1]!.replace(/\\(.)/g, "$1")
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(written)
  if (single !== null) return single[1]!.replaceAll("''", "'")
  const plain = written.replace(/\s+#.*$/, "").trim()
  if (/^(?:~|null)?$/i.test(plain)) return ""
  return /^[[\]{}&*!|>%@`"']|:\s/.test(plain) ? undefined : plain
}
