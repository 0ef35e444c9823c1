/** Random documents, and the ways models write them: what was meant is known. */
import * as fc from "fast-check"
import type { Json } from "../src/Salvage.ts"

const names = fc
  .stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
  .filter((word) => !/^(?:true|false|null|nil|undefined|nan|inf)$/.test(word))

/** Texts with everything in them that means something in JSON, Markdown and prose. */
const texts = fc.oneof(
  names,
  fc.constantFrom(
    "Hello, world",
    "a: b",
    "x (y)",
    "it's",
    "C:\\dir\\file",
    "https://a.io/x?y=1#z",
    "two\nlines",
    "tab\there",
    "é ü 漢字 🎉",
    "",
    " blank first",
    "{brace}",
    "[1, 2]",
    'say "hi" now',
    "```js\nx()\n```",
    "<think>no</think>",
    "100%",
    "a, b, c",
    "# no comment",
    "// neither",
    "12",
    "true",
    "key: value, other: thing",
  ),
)

const leaf: fc.Arbitrary<Json> = fc.oneof(
  texts,
  fc.integer(),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
  fc.boolean(),
  fc.constant(null),
)

const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(names, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const object = fc.dictionary(names, tree, { minKeys: 1, maxKeys: 5, noNullPrototype: true })

export const documents: fc.Arbitrary<Json> = fc
  .oneof(object, fc.array(object, { minLength: 1, maxLength: 4 }))
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

export interface Style {
  readonly lines?: boolean
  readonly quote?: (text: string) => string
  readonly name?: (name: string) => string
  readonly literal?: (value: Json) => string
  readonly colon?: string
  readonly comma?: string
  readonly last?: string
  readonly around?: (json: string) => string
}

const inner = (text: string) => JSON.stringify(text).slice(1, -1)
const single = (text: string) => `'${inner(text).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const python = (value: Json) =>
  value === true
    ? "True"
    : value === false
      ? "False"
      : value === null
        ? "None"
        : JSON.stringify(value)
const bare = (name: string) => name

export const styles: { readonly [name: string]: Style } = {
  JSON: {},
  "JSON on lines": { lines: true },
  "single quotes": { lines: true, quote: single },
  "a Python literal": { quote: single, literal: python },
  "names without quotes": { name: bare },
  "a JavaScript object": { lines: true, name: bare, quote: single, last: "," },
  "trailing commas": { last: "," },
  "no commas": { lines: true, comma: "" },
  "double commas": { comma: ",," },
  "equals signs": { lines: true, colon: " = " },
  arrows: { colon: " => " },
  "line comments": { lines: true, comma: ', // "note": {' },
  "hash comments": { lines: true, comma: ", # it's a note" },
  "block comments": { comma: ", /* [a, {b: 1} */" },
  "smart quotes": { lines: true, quote: (text) => `“${inner(text)}”` },
  "raw line ends": {
    lines: true,
    quote: (text) => JSON.stringify(text).replaceAll("\\n", "\n").replaceAll("\\t", "\t"),
  },
  "inner quotes": { lines: true, quote: (text) => JSON.stringify(text).replaceAll('\\"', '"') },
  "no-break spaces": { colon: ":\u00a0" },
  "a byte order mark": { around: (json) => `\ufeff${json}` },
  "carriage returns": { lines: true, around: (json) => json.replaceAll("\n", "\r\n") },
  "escaped quotes": { around: (json) => json.replaceAll("\\", "\\\\").replaceAll('"', '\\"') },
  "twice encoded": { around: (json) => JSON.stringify(json) },
  "a fence in prose": {
    lines: true,
    around: (json) => `Here:\n\n\`\`\`json\n${json}\n\`\`\`\nFor {user}, see [1].`,
  },
  prose: { around: (json) => `The answer is ${json} as (you) asked, [1].` },
  reasoning: {
    around: (json) =>
      `<reasoning>\nIs it {"draft": [1, 2]} or\n\`\`\`json\n{"x": 1}\n\`\`\`?\n</reasoning>\n${json}`,
  },
  "an assignment": { around: (json) => `result = ${json};` },
  "a call": { around: (json) => `callback(${json});` },
  "one bracket too many": { around: (json) => `${json}}` },
  "one bracket too few": { lines: true, around: (json) => json.slice(0, -1) },
}

export const write = (value: Json, style: Style): string => {
  const written = writeValue(value, style, 0)
  return style.around === undefined ? written : style.around(written)
}

const writeValue = (value: Json, style: Style, depth: number): string => {
  const quote = style.quote ?? JSON.stringify
  if (typeof value === "string") return quote(value)
  if (typeof value !== "object" || value === null) return (style.literal ?? JSON.stringify)(value)
  const items = Array.isArray(value)
    ? value.map((item) => writeValue(item, style, depth + 1))
    : Object.entries(value).map(
        ([key, item]) =>
          (style.name ?? quote)(key) + (style.colon ?? ": ") + writeValue(item, style, depth + 1),
      )
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  if (items.length === 0) return open! + close!
  const feed = (indent: number) => (style.lines ? `\n${"  ".repeat(indent)}` : " ")
  const body = items.join((style.comma ?? ",") + feed(depth + 1))
  return open! + feed(depth + 1) + body + (style.last ?? "") + feed(depth) + close!
}
