/** Properties of every document, in any style, cut anywhere, in any chunks. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { documents, styles, write } from "./documents.ts"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"
import type { Json, Schema } from "../src/Salvage.ts"
import { cases } from "../../../../.config/cases.ts"

describe("a document is read back unchanged", () => {
  it.each(Object.keys(styles))("written with %s", (name) => {
    fc.assert(
      fc.property(documents, (value) => {
        expect(parse(write(value, styles[name]!))).toMatchObject({ ok: true, value })
      }),
      { numRuns: cases(50, 2) },
    )
  })
})

const cutStyles = [
  "JSON",
  "JSON on lines",
  "single quotes",
  "a JavaScript object",
  "a fence in prose",
  "reasoning",
]

/** Whether one value can be the beginning of another. */
const begins = (part: Json, whole: Json): boolean => {
  if (part === null) return true
  if (typeof whole === "string") return typeof part === "string" && whole.startsWith(part)
  if (typeof whole === "number")
    return typeof part === "number" && Math.abs(part) <= Math.abs(whole)
  if (typeof whole !== "object" || whole === null) return part === whole
  if (typeof part !== "object") return false
  if (Array.isArray(whole)) {
    return (
      Array.isArray(part) &&
      part.length <= whole.length &&
      part.every((item, slot) => begins(item, whole[slot]!))
    )
  }
  return Object.entries(part).every(
    ([key, item]) => item === null || (key in whole && begins(item!, whole[key]!)),
  )
}

describe("a cut document", () => {
  it.each(cutStyles)("gives a prefix of the whole value (%s)", (name) => {
    fc.assert(
      fc.property(documents, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
        const text = write(value, styles[name]!)
        const first =
          text.lastIndexOf("</reasoning>") +
          text.slice(text.lastIndexOf("</reasoning>") + 1).search(/[{[]/) +
          2
        const result = parse(text.slice(0, Math.max(first, Math.floor(text.length * share))))
        expect(result.ok && begins(result.value, value)).toBe(true)
      }),
      { numRuns: cases(50, 2) },
    )
  })
})

/** Fragments inserted to break texts. */
const scrap = fc.constantFrom(
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "\\",
  "`",
  "\n",
  " ",
  "a",
  "1",
  "//",
  "/*",
  "<",
  "=",
  "(",
  ")",
  "“",
  "null",
  "-",
  ".",
  "+",
  "#",
  "```",
  "</think>",
)

describe("a stream", () => {
  it.each(cutStyles)(
    "ends with the result of parse and shows only prefixes before, at every split (%s)",
    (name) => {
      fc.assert(
        fc.property(documents, fc.integer({ min: 1, max: 24 }), (value, size) => {
          const text = write(value, styles[name]!)
          const reading = stream()
          for (let at = 0; at < text.length; at += size) {
            reading.push(text.slice(at, at + size))
            const shown = reading.partial()
            const whole = stream()
            whole.push(text.slice(0, at + size))
            expect(shown).toEqual(whole.partial())
            expect(shown.value === undefined || begins(shown.value, value)).toBe(true)
          }
          expect(reading.end()).toEqual(parse(text))
        }),
        { numRuns: cases(25) },
      )
    },
  )

  const listed: Schema = {
    anyOf: [{ type: "array", items: { $ref: "#/$defs/v" } }, { type: "object" }],
    $defs: {
      v: {
        type: "object",
        properties: { a: { type: "array", items: { type: "integer" } } },
        additionalProperties: { anyOf: [{ type: "string" }, { type: "array" }, {}] },
      },
    },
  }
  it.each<{ name: string; schema: Schema | undefined }>([
    { name: "without a schema", schema: undefined },
    { name: "with one", schema: listed },
  ])("of any text leaves what it has shown as it was ($name)", ({ schema }) => {
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 24 }), (parts) => {
        const text = `[${parts.join("")}`
        const reading = stream(schema)
        const shown: Array<readonly [value: unknown, text: string | undefined]> = []
        for (let at = 0; at < text.length; at++) {
          reading.push(text[at]!)
          const now = reading.partial()
          shown.push([now.value, JSON.stringify(now.value)])
        }
        for (const [value, then] of shown) expect(JSON.stringify(value)).toBe(then)
      }),
      { numRuns: cases(100, 2) },
    )
  })

  it("gives the same result with and without calls of partial", () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
        (value, asked) => {
          const text = write(value, styles["JSON on lines"]!)
          const reading = stream()
          for (let at = 0; at < text.length; at++) {
            reading.push(text[at]!)
            if (asked[at % asked.length]) reading.partial()
          }
          expect(reading.partial().value).toEqual(value)
        },
      ),
      { numRuns: cases(25, 2) },
    )
  })
})

describe("any text", () => {
  it("is parsed or rejected without an exception", () => {
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 40 }), (parts) => {
        const text = parts.join("")
        expect(typeof parse(text).ok).toBe("boolean")
        expect(typeof parse(text, { type: "object" }).ok).toBe("boolean")
        const reading = stream()
        for (const part of parts) {
          reading.push(part)
          reading.partial()
        }
        expect(reading.end()).toEqual(parse(text))
      }),
      { numRuns: cases(250, 2) },
    )
  })
})
