/** A YAML file as plain data, with the position of every key and value. */
import type { Json } from "@planloom/plugin/effect"
import * as Yaml from "yaml"
import type { Diagnostic, Span } from "./Diagnostic.ts"
import { positionAt } from "./SourceFile.ts"
import type { SourceFile } from "./SourceFile.ts"
import { scalarOffsets } from "./scalarOffsets.ts"
import type { ScalarStyle } from "./scalarOffsets.ts"
import { toPlain } from "./toPlain.ts"
import { yamlOptions } from "./yamlOptions.ts"
import { yamlDiagnostics } from "./yamlDiagnostic.ts"

export type DocumentPath = ReadonlyArray<string | number>

/** The range of a part of an entry. */
export interface WrittenPart {
  readonly from: number
  readonly to: number
  /** Inside of `{ }` or `[ ]`. */
  readonly isFlow: boolean
  /** The style of a text. */
  readonly style?: ScalarStyle
}

/** The part of an entry: `x` or `1` in `x: 1`. A list item has no key, only a value. */
export type Spot = "key" | "value"

export interface Document {
  readonly file: SourceFile
  /** The whole file as plain data. Objects keep the order of their keys. */
  readonly value: Json
  /** The setting from outside the file that gave the value at a path, as `path=value`. */
  readonly setBy?: (path: DocumentPath) => string | undefined
  /** Where a path is; the nearest place above when the path is not in the file. */
  readonly spanOf: (path: DocumentPath, spot?: Spot) => Span
  /** Where characters `from` to `to` of a text value are, in whatever style it is written. */
  readonly spanWithin: (path: DocumentPath, from: number, to: number) => Span
  /** The key, the value, or both, of an entry that the file has; undefined for any other path. */
  readonly written: (path: DocumentPath, part: Spot | "entry") => WrittenPart | undefined
  /** Offsets in the file of each character of a text value, and of its end. */
  readonly offsets: (path: DocumentPath) => ReadonlyArray<number> | undefined
}

export interface ParsedDocument {
  /** Absent when the text is empty or not YAML. */
  readonly document?: Document
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Reads YAML text. A duplicate key or a stray tag still yields a document. */
export const parseDocument = (file: SourceFile): ParsedDocument => {
  const failed = (code: string, message: string, help?: string): ParsedDocument => ({
    diagnostics: [
      {
        code,
        severity: "error",
        message,
        file: file.path,
        start: positionAt(file, 0),
        end: positionAt(file, 0),
        ...(help === undefined ? {} : { help }),
      },
    ],
  })
  let parsed: Yaml.Document.Parsed
  try {
    parsed = Yaml.parseDocument(file.text, yamlOptions)
  } catch (error) {
    // The parser is recursive and overflows the stack on thousands of nested brackets.
    const message = error instanceof RangeError ? "it is nested too deeply" : String(error)
    return failed("PL0003", `this is not YAML: ${message}`)
  }
  const diagnostics = firstAtEachPlace(yamlDiagnostics(file, parsed))
  // After a syntax error the parser guesses the rest, and of two equal keys which one counts: further problems would be
  // about the guess.
  if (diagnostics.some(({ code }) => code === "PL0003" || code === "PL0004")) return { diagnostics }
  if (parsed.contents === null || isNothing(parsed.contents)) {
    return diagnostics.length > 0
      ? { diagnostics }
      : failed("PL0002", "the file is empty", "`planloom init` writes one to start from")
  }
  const plain = toPlain(parsed, file)
  diagnostics.push(...plain.diagnostics)
  return { document: makeDocument(file, parsed, plain.value), diagnostics }
}

/** Keeps one diagnostic per place: the parser repeats a mistake for every enclosing level. */
const firstAtEachPlace = (diagnostics: ReadonlyArray<Diagnostic>): Array<Diagnostic> => {
  const tooDeep = diagnostics.find((one) => one.message.includes("nested too deeply"))
  if (tooDeep) return [tooDeep]
  const places = new Set<number>()
  return diagnostics
    .filter((one) => !places.has(one.start.offset) && places.add(one.start.offset))
    .slice(0, 20)
}

const isNothing = (node: Yaml.Node): boolean =>
  Yaml.isScalar(node) && node.value === null && node.range![0] === node.range![1]

const makeDocument = (file: SourceFile, parsed: Yaml.Document, value: Json): Document => {
  const span = (from: number, to: number): Span => ({
    start: positionAt(file, from),
    end: positionAt(file, to),
  })
  const spanOf = (path: DocumentPath, spot: Spot = "value"): Span => {
    const found = locate(parsed, path)
    if (
      found.key !== undefined &&
      (spot === "key" || isEmpty(found.node) || (!found.exact && !Yaml.isScalar(found.node)))
    ) {
      return span(found.key.range![0], found.key.range![1])
    }
    const range = found.node?.range
    if (!range) return span(0, 0)
    return span(range[0], endOfFirstLine(file, range[0], range[1]))
  }
  const offsets = (path: DocumentPath): ReadonlyArray<number> | undefined => {
    // A shorthand (`for_each: inputs.rows`) is the text that its longer form has further down.
    const { node } = locate(parsed, path)
    if (!Yaml.isScalar(node) || typeof node.value !== "string" || !node.range) return undefined
    return scalarOffsets(file.text, node.range[0], node.range[1], styleOf(node), node.value)
  }
  return {
    file,
    value,
    spanOf,
    offsets,
    spanWithin: (path, from, to) => {
      const known = offsets(path)
      if (known === undefined) return spanOf(path)
      const length = known.length - 1
      const start = known[Math.min(from, length)]!
      const last = to > from ? known[Math.min(to, length) - 1]! + 1 : start
      return span(start, Math.max(start, last))
    },
    written: (path, part) => {
      const { exact, isFlow, key, node } = locate(parsed, path)
      const [start, end] = [part === "value" ? node : key, part === "key" ? key : node]
      if (!exact || !start?.range || !end?.range) return undefined
      const [from] = start.range
      const to = from + file.text.slice(from, end.range[1]).trimEnd().length
      return { from, to, isFlow, ...(Yaml.isScalar(end) ? { style: styleOf(end) } : {}) }
    },
  }
}

const styleOf = (node: Yaml.Scalar): ScalarStyle => (node.type ?? "PLAIN") as ScalarStyle

const isEmpty = (node: Yaml.Node | null | undefined): boolean =>
  !node?.range || node.range[0] === node.range[1]

/** The end of a mapping's or list's first line, which stands for all of it in reports. */
const endOfFirstLine = (file: SourceFile, from: number, to: number): number => {
  const stop = file.text.indexOf("\n", from)
  const end = stop === -1 || stop > to ? to : stop
  return file.text[end - 1] === "\r" ? end - 1 : end
}

interface Located {
  readonly node: Yaml.Node | null | undefined
  readonly key: Yaml.Node | undefined
  /** False when the path leads below what the file contains. */
  readonly exact: boolean
  /** Whether a mapping or list around it is written in brackets. */
  readonly isFlow: boolean
}

const names = new WeakMap<Yaml.YAMLMap, ReadonlyMap<string, Yaml.Pair>>()

/** Indexes a mapping once: a generated file may have thousands of keys, and a report for each of them. */
const pairAt = (mapping: Yaml.YAMLMap, name: string): Yaml.Pair | undefined => {
  let pairs = names.get(mapping)
  if (pairs === undefined) {
    const first = new Map<string, Yaml.Pair>()
    for (const pair of mapping.items) {
      const key = Yaml.isScalar(pair.key) ? String(pair.key.value) : undefined
      if (key !== undefined && !first.has(key)) first.set(key, pair)
    }
    names.set(mapping, (pairs = first))
  }
  return pairs.get(name)
}

const locate = (parsed: Yaml.Document, path: DocumentPath): Located => {
  let node: Yaml.Node | null | undefined = parsed.contents
  let key: Yaml.Node | undefined
  let isFlow = false
  for (const segment of path) {
    if (Yaml.isAlias(node)) return { node, key, exact: true, isFlow }
    if (Yaml.isMap(node)) {
      // One entry may stand without its list.
      if (segment === 0) continue
      const pair = pairAt(node, String(segment))
      if (!pair) return { node, key, exact: false, isFlow }
      isFlow ||= node.flow === true
      key = pair.key as Yaml.Node
      node = pair.value as Yaml.Node | null
    } else if (Yaml.isSeq(node)) {
      const item = node.items[Number(segment)]
      if (!item) return { node, key, exact: false, isFlow }
      isFlow ||= node.flow === true
      node = item as Yaml.Node
      key = undefined
    } else return { node, key, exact: false, isFlow }
  }
  return { node, key, exact: true, isFlow }
}
