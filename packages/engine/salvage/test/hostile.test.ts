/** Hostile texts: each ends quickly with a value or a clear rejection. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"

const N = 100_000
const texts: { readonly [name: string]: string } = {
  brackets: "[".repeat(N),
  braces: "{".repeat(N),
  members: '{"a":'.repeat(N),
  "tuples and calls": "f([(".repeat(N / 4),
  fences: "```".repeat(16_000),
  backticks: "[`a ".repeat(N / 4),
  quotes: '"'.repeat(N),
  "quotes in an array": `[${'"a "'.repeat(N / 4)}`,
  "unclosed strings": `${'["abc, '.repeat(N / 10)}]`,
  "brackets before names": `["a${'],"k":'.repeat(N / 5)}`,
  "closed brackets before names": `["a${"]".repeat(600)},"k":`.repeat(N / 600),
  "escaped line ends": `[${'\\n"a"'.repeat(N / 5)}`,
  "quotations in quotations": `${"> ".repeat(N)}{"a": 1,}`,
  "entities of entities": `{&${"amp;".repeat(N / 4)}quot;a`,
  "escaped strings": `"\\{${'\\"'.repeat(N / 2)}"`,
  entities: `{${"&quot;a".repeat(N / 7)}`,
  stars: `{"a${'"*'.repeat(N / 2)}`,
  "missing quotes": '{"a": "x, "b": '.repeat(N / 10),
  backslashes: `["${"\\".repeat(N)}`,
  commas: `[${",".repeat(N)}`,
  comments: "[/*".repeat(N),
  tags: "<".repeat(N),
  reasoning: "<think>".repeat(N / 10),
  objects: "{} ".repeat(N / 10),
  blanks: `{"a"${" ".repeat(N)}`,
  digits: `[${"1".repeat(N)}`,
}

describe("hostile text", () => {
  it.each(Object.keys(texts))("terminates: %s", (name) => {
    const began = performance.now()
    const result = parse(texts[name]!)
    expect(typeof result.ok).toBe("boolean")
    // Generous for a busy machine: what is quadratic takes minutes.
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it("is rejected with the location if it nests too deeply", () => {
    expect(parse("[".repeat(N))).toMatchObject({
      ok: false,
      reasons: [
        {
          message: "the text nests deeper than 500 levels",
          at: { offset: 500, line: 1, column: 501 },
        },
      ],
    })
    expect(parse(`${"[".repeat(N)}${"]".repeat(N)}`).ok).toBe(false)
    expect(parse(`${"[".repeat(500)}${"]".repeat(500)}`).ok).toBe(true)
    expect(parse("[[1]]", undefined, { maxDepth: 1 }).ok).toBe(false)
  })

  it("has no partial value if it nests too deeply", () => {
    const reading = stream()
    reading.push("[".repeat(N))
    expect(reading.partial()).toEqual({ value: undefined, open: [], reasoning: "" })
  })

  it("is rejected if it is too long or has a NUL character", () => {
    expect(parse("[1, 2]", undefined, { maxLength: 3 }).ok).toBe(false)
    expect(parse('{"a": "\0"}')).toMatchObject({ ok: false, reasons: [{ at: { offset: 7 } }] })
  })

  it("is rejected with the location if it needs more repairs than allowed, comments not counted", () => {
    expect(parse(`{${",".repeat(3 * N)}`)).toMatchObject({
      ok: false,
      reasons: [{ message: "the text needs more than 200000 repairs", at: { offset: 200_001 } }],
    })
    expect(parse("{a: 1, b: 2}", undefined, { maxRepairs: 1 }).ok).toBe(false)
    expect(parse("{a: 1, b: 2}", undefined, { maxRepairs: 2 }).ok).toBe(true)
    const commented = parse(`[${"1, // one\n".repeat(N)}2]`)
    expect(commented.ok && commented.repairs.length).toBe(N)
    const reading = stream(undefined, { maxRepairs: 1 })
    reading.push("{a: 1, b: 2}")
    expect(reading.partial().value).toBeUndefined()
    expect(reading.end().ok).toBe(false)
  })

  it("is rejected with the location if it lacks thousands of brackets", () => {
    expect(parse(`[${'{"id": 1, "args": {"q": 2}, '.repeat(2000)}`)).toMatchObject({
      ok: false,
      reasons: [{ message: "the text lacks more than 1000 brackets" }],
    })
  })

  it("is rejected with the location if it holds thousands of values between words", () => {
    expect(parse("see [1] and ".repeat(N / 5))).toMatchObject({
      ok: false,
      reasons: [{ message: "the text holds more than 10000 values between words" }],
    })
    expect(parse('{"a": 1}\n'.repeat(N / 5)).ok).toBe(true)
  })

  it("keeps __proto__ as an ordinary member", () => {
    for (const text of ['{"__proto__": {"x": 1}}', "{__proto__: {x: 1}}"]) {
      const result = parse(text, { type: "object" })
      const value = result.ok ? (result.value as object) : {}
      expect(Object.getOwnPropertyNames(value)).toEqual(["__proto__"])
      expect((value as { x?: number }).x).toBeUndefined()
    }
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it("gets a repair for numbers that a double cannot represent", () => {
    const result = parse('{"id": 12345678901234567890, "x": 1e999, "ok": 9007199254740991}')
    expect(result).toMatchObject({ ok: true, value: { x: null, ok: 9007199254740991 } })
    expect(result.ok && result.repairs).toMatchObject([
      { kind: "inexact_number", path: "/id", detail: "12345678901234567890" },
      { kind: "not_finite", path: "/x", detail: "1e999" },
    ])
  })
})
