/** The texts that speed is measured on, and those made to break a parser. */

const row = (id: number) => ({
  id,
  name: `item "${id}" of many`,
  tags: ["alpha", "beta", `t${id}`],
  price: id * 1.25,
  ready: id % 2 === 0,
  note: "some longer text, with commas: and colons; all fine here",
  nested: { list: [1, 2, 3], nothing: null },
})

export const documentOf = (rows: number) => ({
  items: Array.from({ length: rows }, (_, id) => row(id)),
})

/** By name: a text, and whether it is valid. */
export const speedTexts = (rows: number): ReadonlyArray<readonly [name: string, text: string]> => {
  const valid = JSON.stringify(documentOf(rows), null, 1)
  const javascript = valid
    .replace(/"(\w+)":/g, "$1:")
    .replaceAll(": true", ": True")
    .replaceAll(": null", ": None")
    .replace(/\n(\s*)\]/g, ",\n$1]")
  return [
    ["valid", valid],
    ["fenced", `Here it is:\n\n\`\`\`json\n${valid}\n\`\`\`\nAnything else?`],
    ["malformed", javascript],
    ["no commas", valid.replaceAll(",\n", "\n")],
    ["cut", valid.slice(0, -Math.floor(valid.length / 10))],
  ]
}

export const hostileTexts: { readonly [name: string]: string } = {
  "100,000 open brackets": "[".repeat(100_000),
  "100,000 open members": '{"a":'.repeat(100_000),
  "500 deep": `${"[".repeat(500)}1${"]".repeat(500)}`,
  "16,000 fences": "```\n".repeat(16_000),
  "16,000 backticks": "`".repeat(16_000),
  "100,000 quotes": '"'.repeat(100_000),
  "20,000 inner quotes": `{"a": "${'x "y", z '.repeat(20_000)}"}`,
  "20,000 unclosed strings": `${'["abc, '.repeat(500)}${'"abc, '.repeat(20_000)}]`,
  "20,000 missing commas": `[${'"a" '.repeat(20_000)}`,
  "100,000 backslashes": `["${"\\".repeat(100_000)}`,
  "100,000 words": `[${"word ".repeat(100_000)}`,
  "100,000 braces in prose": "a { b ".repeat(100_000),
  "100,000 comments": "[/*".repeat(100_000),
}

const repeated =
  (body: string, start = "") =>
  (length: number): string =>
    start + body.repeat(Math.floor(length / body.length))

const record = JSON.stringify(row(1))

/** Texts of any length that need much work or memory per byte. */
export const heapTexts: { readonly [name: string]: (length: number) => string } = {
  "open brackets": repeated("["),
  "open members": repeated('{"a":'),
  commas: repeated(",", "{"),
  "references in prose": repeated("see [1] and "),
  "braces in prose": repeated("a { b "),
  quotes: repeated('"'),
  "inner quotes": repeated('x "y", z ', '{"a": "'),
  "texts without commas": repeated('"a" ', "["),
  "bare words": repeated("ab,", "["),
  comments: repeated("1, // a note of some words\n", "["),
  "comments before a value": repeated("# a note\n"),
  fences: repeated("```\n"),
  "swapped brackets": repeated("{]", "["),
  "JSON Lines": repeated(`${record}\n`),
  "a list cut off": repeated(`${record},`, "["),
  "Python literals": repeated(`${record.replaceAll('"', "'").replaceAll("null", "None")},`, "["),
  "missing closers": repeated('{"id": "step", "args": {"query": "some words"}, ', "["),
  "objects in fences": repeated(`\`\`\`json\n${record}\n\`\`\`\n`),
}
