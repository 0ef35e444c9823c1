/** Formats YAML: one order of keys and one spacing; comments and meaning are kept. */
import * as Yaml from "yaml"
import type { Diagnostic } from "./Diagnostic.ts"
import { parseDocument } from "./Document.ts"
import { yamlOptions } from "./yamlOptions.ts"
import { sourceFile } from "./SourceFile.ts"
import type { SourceFile } from "./SourceFile.ts"

/** The order of keys in one kind of mapping. Unlisted keys follow in their written order. */
export interface KeyOrder {
  readonly keys: ReadonlyArray<string>
  /** Whether the order applies to the mapping at this path. */
  readonly at: (path: ReadonlyArray<string | number>) => boolean
}

export interface Formatted {
  /** The formatted text; the unchanged text when it has problems. */
  readonly text: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Long values are not wrapped: that would move the expressions in them. */
const writing = {
  lineWidth: 0,
  indent: 2,
  indentSeq: true,
  flowCollectionPadding: true,
  commentString: (text: string): string => text.replace(/^(?=.)/gm, "#"),
} as const

/** Formats YAML text. Idempotent. */
export const formatYaml = (file: SourceFile, orders: ReadonlyArray<KeyOrder>): Formatted => {
  const before = parseDocument(file)
  if (!before.document || before.diagnostics.length > 0) {
    return { text: file.text, diagnostics: before.diagnostics }
  }
  const parsed = Yaml.parseDocument(file.text, yamlOptions)
  order(parsed.contents, [], orders)
  let text = tidy(parsed.toString(writing))
  // The library's output can need a second pass to become stable, as with comments between flow entries.
  for (let pass = 0; pass < 3; pass++) {
    const again = tidy(Yaml.parseDocument(text, yamlOptions).toString(writing))
    if (again === text) break
    text = again
  }
  const after = parseDocument(sourceFile(file.path, text))
  const same =
    after.document !== undefined &&
    JSON.stringify(sorted(after.document.value)) === JSON.stringify(sorted(before.document.value))
  // A text that the library cannot write back with the same meaning is not changed.
  return { text: same ? text : file.text, diagnostics: [] }
}

/** One line break at the end, and lists without the padding that mappings have: `{ a: [b, c] }`. */
const tidy = (text: string): string => `${tightLists(text).replace(/\n+$/, "")}\n`

/** Marks that the lexer puts between lexemes: a document's start, a flow error's end, a scalar's start. */
const marks = new Set(["\u0002", "\u0018", "\u001F"])

const tightLists = (text: string): string => {
  const lexemes = [...new Yaml.Lexer().lex(text)]
  let tight = ""
  lexemes.forEach((lexeme, index) => {
    if (marks.has(lexeme)) return
    const isPadding = /^ +$/.test(lexeme) && lexemes[index - 1] !== "\u001F"
    const opened = lexemes[index - 1] === "[" && lexemes[index - 2] !== "\u001F"
    const next = lexemes[index + 1] ?? ""
    if (isPadding && opened && !/^[\n\r#]/.test(next)) return
    if (isPadding && next === "]" && !(lexemes[index - 1] ?? "").endsWith("\n")) return
    tight += lexeme
  })
  return tight
}

/** A value with sorted keys, for comparing meaning: formatting may reorder keys. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, entry]) => [key, sorted(entry)] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value

const order = (
  node: unknown,
  path: ReadonlyArray<string | number>,
  orders: ReadonlyArray<KeyOrder>,
): void => {
  if (Yaml.isSeq(node)) {
    node.items.forEach((item, index) => order(item, [...path, index], orders))
    return
  }
  if (!Yaml.isMap(node)) return
  const keyOf = (pair: Yaml.Pair): string => (Yaml.isScalar(pair.key) ? String(pair.key.value) : "")
  for (const pair of node.items) order(pair.value, [...path, keyOf(pair)], orders)
  const wanted = orders.find(({ at }) => at(path))
  // An alias must come after its anchor, so a mapping with anchors keeps its order.
  if (!wanted || hasAnchors(node)) return
  const rank = (pair: Yaml.Pair): number => {
    const index = wanted.keys.indexOf(keyOf(pair))
    return index === -1 ? wanted.keys.length : index
  }
  const first = node.items[0]
  node.items = node.items
    .map((pair, index) => ({ pair, index }))
    .toSorted((a, b) => rank(a.pair) - rank(b.pair) || a.index - b.index)
    .map(({ pair }) => pair)
  moveLeadingComment(node, first)
}

const hasAnchors = (node: Yaml.YAMLMap): boolean => {
  let found = false
  Yaml.visit(node, {
    Node: (_, inner) => {
      if (Yaml.isAlias(inner) || inner.anchor !== undefined) found = true
    },
  })
  return found
}

/** Moves a comment above the first key together with that key. */
const moveLeadingComment = (node: Yaml.YAMLMap, first: Yaml.Pair | undefined): void => {
  const now = node.items[0]
  if (!first || first === now || !Yaml.isScalar(first.key) || !Yaml.isScalar(now?.key)) return
  if (node.commentBefore !== null && node.commentBefore !== undefined) {
    first.key.commentBefore = node.commentBefore
    node.commentBefore = null
  }
  // The blank line above the key that is now first.
  if (now.key.spaceBefore === true) {
    now.key.spaceBefore = false
    first.key.spaceBefore = true
  }
}
