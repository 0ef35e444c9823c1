/** Adds and removes entries of a document's text: layout and comments around them stay. */
import type { Document, DocumentPath } from "./Document.ts"
import type { Replacement } from "./Replacement.ts"

/** The column of an offset, from 0. */
export const columnOf = (text: string, at: number): number =>
  at - (text.lastIndexOf("\n", at - 1) + 1)

/** The end of an offset's line. */
export const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : text[end - 1] === "\r" && end > at ? end - 1 : end
}

/** Lines after the first one, moved to the right, or to the left. */
export const shifted = (text: string, by: number): string =>
  by >= 0
    ? text.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(by)}`)
    : text.replaceAll(new RegExp(`\\n {1,${-by}}`, "g"), "\n")

/** Removes an entry with its line, or with its comma. */
export const withoutEntry = (document: Document, path: DocumentPath): Replacement | undefined => {
  const part = document.written(path, "entry")
  const { text } = document.file
  if (part === undefined) return undefined
  const { from, to } = part
  if (part.isFlow) {
    const after = /^\s*,\s*/.exec(text.slice(to))?.[0]
    if (after !== undefined) return { from, to: to + after.length, text: "" }
    const before = /,\s*$/.exec(text.slice(0, from))?.[0] ?? ""
    return { from: from - before.length, to, text: "" }
  }
  const end = lineEnd(text, to)
  const column = columnOf(text, from)
  if (text.slice(from - column, from).trim() === "") {
    const lineBreak = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0
    return { from: from - column, to: end + lineBreak, text: "" }
  }
  // The first key of a list item: the next one takes its place.
  const next = /^\r?\n( *)(?=[^\s#-])/.exec(text.slice(end))
  return next?.[1]?.length === column ? { from, to: end + next[0].length, text: "" } : undefined
}

/** Adds an entry to a mapping, before its others; below its `id`, where it begins with that. */
export const withEntry = (
  document: Document,
  path: DocumentPath,
  entry: string,
): Replacement | undefined => {
  const part = document.written(path, "value")
  const { text } = document.file
  if (part === undefined) return undefined
  if (text[part.from] === "{") {
    const isEmpty = /^\{\s*\}/.test(text.slice(part.from))
    if (entry.includes("\n")) return undefined
    return { from: part.from + 1, to: part.from + 1, text: isEmpty ? ` ${entry} ` : ` ${entry},` }
  }
  const indent = " ".repeat(columnOf(text, part.from))
  const id = document.written([...path, "id"], "entry")
  if (id?.from === part.from && !id.isFlow) {
    const at = lineEnd(text, id.to)
    return { from: at, to: at, text: `\n${indent}${shifted(entry, indent.length)}` }
  }
  return { from: part.from, to: part.from, text: `${shifted(entry, indent.length)}\n${indent}` }
}

const headerKeys = ["apiVersion", "kind", "name", "description"]

/** Adds a key to a file, below those with which it begins. */
export const withRootEntry = (document: Document, entry: string): Replacement | undefined => {
  const { text } = document.file
  const ends = headerKeys.flatMap((key) => {
    const part = document.written([key], "entry")
    return part === undefined || part.isFlow ? [] : part.to
  })
  if (ends.length === 0) return withEntry(document, [], entry)
  const at = lineEnd(text, Math.max(...ends))
  return { from: at, to: at, text: `\n${entry}` }
}
