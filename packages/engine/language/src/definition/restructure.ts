/** Fixes that move entries of a document, or change a list into a mapping and back. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"
import type { Document, DocumentPath } from "../source/Document.ts"
import type { Replacement } from "../source/Replacement.ts"
import {
  columnOf,
  lineEnd,
  shifted,
  withEntry,
  withRootEntry,
  withoutEntry,
} from "../source/layout.ts"
import { scalarText } from "../source/scalarText.ts"
import type { Fix } from "./Fix.ts"

type Replacements = ReadonlyArray<Replacement> | undefined

/** A value in the form that it has inside of brackets. */
const flowText = (value: Json): string =>
  typeof value === "string" ? scalarText(value, true) : JSON.stringify(value)

const valueAt = (value: Json, path: DocumentPath): Json | undefined =>
  path.reduce<Json | undefined>(
    (at, step) =>
      at === null || typeof at !== "object"
        ? undefined
        : (at as { readonly [key: string | number]: Json })[step],
    value,
  )

/** Moves the entry under another key beside it, where it is called `key`. */
export const movedUnder = (holder: string, key: string): Fix => ({
  write: (document, path) => moveUnder(document, path, holder, key),
})

/** Moves the entry at a path under a key beside it. */
export const moveUnder = (
  document: Document,
  path: DocumentPath,
  holder: string,
  key: string,
): Replacements => {
  const { text } = document.file
  const entry = document.written(path, "entry")
  const value = document.written(path, "value")
  const moved = valueAt(document.value, path)
  if (entry === undefined || value === undefined || moved === undefined) return undefined
  // A mapping or list below its key.
  if (text.slice(entry.from, value.from).includes("\n")) return undefined
  const written = text.slice(value.from, value.to)
  const isOneLine = !written.includes("\n")
  const column = columnOf(text, entry.from)
  const at = [...path.slice(0, -1), holder]
  const present = valueAt(document.value, at)
  if (present === undefined) {
    const isInline = entry.isFlow || isOneLine
    const under = isInline
      ? `${holder}: { ${key}: ${flowText(moved)} }`
      : `${holder}:\n${" ".repeat(column + 2)}${key}: ${shifted(written, 2)}`
    return [{ from: entry.from, to: entry.to, text: under }]
  }
  if (!isObject(present) || Object.hasOwn(present, key)) return undefined
  const line = isOneLine ? flowText(moved) : shifted(written, -column)
  const added = withEntry(document, at, `${key}: ${line}`)
  const removedEntry = withoutEntry(document, path)
  return added && removedEntry && [added, removedEntry]
}

/** A list whose items say their names, as the mapping that it was meant as. */
export const asMapping = (items: ReadonlyArray<Json>): Fix => ({
  write: (document, path) => {
    const { text } = document.file
    const list = document.written(path, "value")
    if (list === undefined) return undefined
    const isFlow = text[list.from] === "["
    const parts = items.flatMap((item, index) =>
      namedItem(document, [...path, index], item, isFlow),
    )
    if (parts.length === 0 || parts.includes(undefined)) return undefined
    const close = list.to
    return [
      ...(parts as ReadonlyArray<Replacement>),
      ...(isFlow
        ? [
            { from: list.from, to: list.from + 1, text: "{ " },
            { from: close - 1, to: close, text: " }" },
          ]
        : []),
    ]
  },
})

const namedItem = (
  document: Document,
  path: DocumentPath,
  item: Json,
  isFlow: boolean,
): ReadonlyArray<Replacement | undefined> => {
  const { text } = document.file
  const part = document.written(path, "value")
  if (part === undefined) return [undefined]
  const dash = isFlow ? part.from : text.lastIndexOf("-", part.from)
  if (typeof item === "string") return [{ from: dash, to: part.to, text: `${item}: {}` }]
  const [key] = isObject(item) ? Object.keys(item) : []
  const name = isObject(item) && (key === "name" || key === "id") ? item[key] : undefined
  const entry = key === undefined ? undefined : document.written([...path, key], "entry")
  if (typeof name !== "string" || entry === undefined || isFlow) return [undefined]
  const end = entry.to
  if (Object.keys(item as object).length === 1)
    return [{ from: dash, to: end, text: `${name}: {}` }]
  if (text[part.from] === "{") {
    const rest = /^\s*,\s*/.exec(text.slice(end))?.[0] ?? ""
    return [{ from: dash, to: end + rest.length, text: `${name}: { ` }]
  }
  return [{ from: dash, to: end, text: `${name}:` }]
}

/** A mapping from names, as the list that it was meant as, whose items say their names under `key`. */
export const asList = (value: { readonly [name: string]: Json }, key: string): Fix => ({
  write: (document, path) => {
    const parts = Object.entries(value).map(([name, item]) =>
      isObject(item) ? listedItem(document, [...path, name], name, key) : undefined,
    )
    return parts.includes(undefined) ? undefined : (parts as ReadonlyArray<Replacement>)
  },
})

const listedItem = (
  document: Document,
  path: DocumentPath,
  name: string,
  key: string,
): Replacement | undefined => {
  const { text } = document.file
  const written = document.written(path, "key")
  const value = document.written(path, "value")
  if (written === undefined || value === undefined || written.isFlow) return undefined
  const deeper = columnOf(text, value.from) - columnOf(text, written.from)
  const { from } = written
  if (text[value.from] === "{") {
    return { from, to: value.from + 1, text: `- { ${key}: ${name},` }
  }
  return deeper >= 2 && text.slice(written.to, value.from).includes("\n")
    ? { from, to: lineEnd(text, written.to), text: `-${" ".repeat(deeper - 1)}${key}: ${name}` }
    : undefined
}

/** Adds a plugin to those that a workflow declares. */
export const declaring = (plugin: string): Fix => ({
  write: (document) => {
    const name = JSON.stringify(plugin)
    const { text } = document.file
    const plugins = valueAt(document.value, ["use", "plugins"])
    const list = document.written(["use", "plugins"], "value")
    const added =
      valueAt(document.value, ["use"]) === undefined
        ? withRootEntry(document, `use: { plugins: [${name}] }`)
        : plugins === undefined
          ? withEntry(document, ["use"], `plugins: [${name}]`)
          : Array.isArray(plugins) && list !== undefined
            ? withItem(document, list.from, plugins.length, name, text)
            : undefined
    return added && [added]
  },
})

const withItem = (
  document: Document,
  from: number,
  length: number,
  item: string,
  text: string,
): Replacement | undefined => {
  const last = document.written(["use", "plugins", length - 1], "value")
  if (text[from] === "[") {
    const at = last?.to ?? from + 1
    return { from: at, to: at, text: last === undefined ? item : `, ${item}` }
  }
  if (last === undefined) return undefined
  const at = lineEnd(text, last.to)
  return { from: at, to: at, text: `\n${" ".repeat(columnOf(text, from))}- ${item}` }
}

/** Puts lines before the first key of a file. */
export const first = (lines: string): Fix => ({
  write: (document) => {
    const added = withEntry(document, [], lines)
    return added && [added]
  },
})

/** Moves an entry out of the mapping around it, beside that. */
export const movedOut: Fix = {
  write: (document, path) => {
    const moved = valueAt(document.value, path)
    const around = path.slice(0, -2)
    const key = String(path.at(-1))
    const isTaken = valueAt(document.value, [...around, key]) !== undefined
    if (moved === undefined || isTaken || typeof moved === "object") return undefined
    const added = withEntry(document, around, `${key}: ${flowText(moved)}`)
    const removedEntry = withoutEntry(document, path)
    return added && removedEntry && [added, removedEntry]
  },
}
