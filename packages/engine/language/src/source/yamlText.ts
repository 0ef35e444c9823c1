/** Writes and reads plain data as YAML that diffs well: one file line per text line, key order kept. */
import { isNode, LineCounter, parse, parseDocument, stringify } from "yaml"
import type { Json } from "@planloom/plugin/effect"

/** `fromYaml` reads the result back unchanged. */
export const toYaml = (value: Json): string =>
  stringify(value, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false })

/** Throws the parser's error. Aliases are rejected. */
export const fromYaml = (text: string): Json =>
  parse(text, { maxAliasCount: 0, uniqueKeys: true, merge: false }) as Json

/** The line on which the value at a path begins, from 1; 1 when the path is missing. */
export const lineOf = (text: string, path: ReadonlyArray<string | number>): number => {
  const lineCounter = new LineCounter()
  const node = parseDocument(text, { lineCounter }).getIn(path, true)
  const offset = isNode(node) ? node.range?.[0] : undefined
  return offset === undefined ? 1 : lineCounter.linePos(offset).line
}
