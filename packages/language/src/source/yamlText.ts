/** Plain data ↔ YAML that people read and compare: a line of a text is a line of the file, and keys keep their order. */
import { isNode, LineCounter, parse, parseDocument, stringify } from "yaml"
import type { Json } from "@planloom/plugin"

/** What `fromYaml` reads back unchanged. */
export const toYaml = (value: Json): string =>
  stringify(value, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false })

/** Throws what the parser says. Anchors are not followed. */
export const fromYaml = (text: string): Json =>
  parse(text, { maxAliasCount: 0, uniqueKeys: true, merge: false }) as Json

/** The line on which the value at a path begins, from 1; 1 where nothing is there. */
export const lineOf = (text: string, path: ReadonlyArray<string | number>): number => {
  const lineCounter = new LineCounter()
  const node = parseDocument(text, { lineCounter }).getIn(path, true)
  const offset = isNode(node) ? node.range?.[0] : undefined
  return offset === undefined ? 1 : lineCounter.linePos(offset).line
}
