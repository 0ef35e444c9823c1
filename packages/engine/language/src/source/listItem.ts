/** Adds an item to a block list of a YAML text, or replaces one; other lines do not change. */
import { isMap, isSeq, parseDocument } from "yaml"
import type { Json } from "@planloom/plugin/effect"
import { toYaml } from "./yamlText.ts"

/**
 * `replaces` selects the item that the new one takes the place of; without such an item it is added at the end. Undefined
 * if the text is not a mapping with a block list under `key`.
 */
export const withListItem = (
  text: string,
  key: string,
  item: Json,
  replaces: (item: Json) => boolean,
): string | undefined => {
  const document = parseDocument(text)
  const list = isMap(document.contents) ? document.contents.get(key, true) : undefined
  if (!isSeq(list) || list.flow === true || list.items.length === 0) return undefined
  const ranges = list.items.map((node) => (node as { readonly range?: Range }).range!)
  const dash = text.lastIndexOf("-", ranges[0]![0])
  const indent = " ".repeat(dash - text.lastIndexOf("\n", dash) - 1)
  const written = toYaml([item])
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `${indent}${line}`))
    .join("\n")
  const values = list.toJSON() as ReadonlyArray<Json>
  const at = values.findIndex(replaces)
  const [from, to] = ranges.at(at)!
  // The value of a block ends at the start of another line; a comment on its last line goes with it.
  const last = text.slice(0, to).trimEnd().length
  const lineEnd = text.indexOf("\n", last)
  const after = lineEnd < 0 ? "" : text.slice(lineEnd + 1)
  const before =
    at < 0
      ? `${text.slice(0, lineEnd < 0 ? undefined : lineEnd)}\n`
      : text.slice(0, text.lastIndexOf("\n", text.lastIndexOf("-", from)) + 1)
  return `${before}${written}\n${after}`
}

/** Start, end of the value, and end with what follows it. */
type Range = readonly [number, number, number]
