/** A chunk costs the same at the end of a long text as at its start. Characters are counted, because clocks are unreliable. */
import { describe, expect, it } from "vitest"
import { Source } from "./Source.ts"
import { stream } from "../stream.ts"
import type { Schema } from "../Salvage.ts"

/** Characters that are joined into the window, or taken out of the text, while it comes in pieces, each looked at. */
const charactersFor = (text: string, schema?: Schema): number => {
  const { append, slice } = Source.prototype
  let count = 0
  Source.prototype.append = function (chunk, read) {
    append.call(this, chunk, read)
    count += this.window.length
  }
  Source.prototype.slice = function (from, to) {
    const taken = slice.call(this, from, to)
    count += taken.length
    return taken
  }
  try {
    const reading = stream(schema)
    for (let at = 0; at < text.length; at += PIECE) {
      reading.push(text.slice(at, at + PIECE))
      reading.partial()
    }
  } finally {
    Object.assign(Source.prototype, { append, slice })
  }
  return count
}
const PIECE = 16

const item = `{"id": 12, "name": "Bergen", 'tags': [a, "b", true,], "note": "rain, \\"much\\" of it" "n": -1.5e3},\n`
const escapes = String.raw`a \u00e9 \"b\" and \n, `
const words = "He said that rain may come, then left. "
const texts: { readonly [name: string]: (times: number) => string } = {
  "a list of objects": (times) => `[${item.repeat(times)}]`,
  "an object of lists": (times) =>
    `{"a": [${"1, ".repeat(times * 10)}], "b": [${item.repeat(times)}]}`,
  "one long string": (times) => `{"text": "${words.repeat(times)}", "end": 1}`,
  "a long string with escapes": (times) => `{"text": "${escapes.repeat(times)}"}`,
  "a long string with quotes in it": (times) =>
    `{"text": "${`${words}"rain" `.repeat(times)}", "end": 1}`,
  "a long string over lines": (times) => `{"text": '${`${words}\n`.repeat(times)}', "end": 1}`,
  "reasoning before it": (times) => `<think>${words.repeat(times)}</think>{"a": 1}`,
  "words before it": (times) => `${words.repeat(times)}\n\`\`\`json\n{"a": [1, 2]}\n\`\`\`\n`,
  "words behind it": (times) => `{"a": [1, 2]}\n${words.repeat(times)}`,
}

describe("a stream", () => {
  it.each(Object.keys(texts))("costs twice as much for twice the text: %s", (name) => {
    const text = texts[name]!
    for (const schema of [undefined, { type: "object" }]) {
      const once = charactersFor(text(300), schema)
      const twice = charactersFor(text(600), schema)
      expect(twice / once).toBeLessThan(2.2)
    }
  })
})

describe("a source", () => {
  const text = Array.from({ length: 9000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("")
  const inPieces = (): Source => {
    const source = new Source({ maxDepth: 512, maxRepairs: 50_000 })
    for (let at = 0; at < text.length; at += 100) source.append(text.slice(at, at + 100), at)
    return source
  }

  it("keeps offsets of the whole text after the window has moved", () => {
    const source = inPieces()
    expect(source.start).toBeGreaterThan(5000)
    expect(source.length).toBe(text.length)
    for (const at of [0, 1, 2047, 2048, 5000, source.start - 1, source.start, 8999])
      expect(source.at(at)).toBe(text[at])
    expect(source.at(-1)).toBe("")
    expect(source.at(9000)).toBe("")
    for (const from of [0, 1500, source.start - 1, source.start, 8500, 9000])
      for (const to of [0, 10, 3000, source.start, source.start + 1, 9000, 9500])
        expect(source.slice(from, to)).toBe(text.slice(from, Math.max(from, to)))
  })

  it("reads text before the window", () => {
    const source = inPieces()
    expect(source.indexOf("xyz", 30)).toBe(text.indexOf("xyz", 30))
    expect(source.start).toBe(0)
    expect(source.slice(0)).toBe(text)
  })
})
