/** Parsed documents: values and positions. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stringify } from "yaml"
import { parseDocument } from "./Document.ts"
import type { Document } from "./Document.ts"
import { sourceFile } from "./SourceFile.ts"
import { cases } from "../../../../../.config/cases.ts"

const read = (text: string): Document => {
  const { diagnostics, document } = parseDocument(sourceFile("a.yaml", text))
  expect(diagnostics).toEqual([])
  return document!
}

const codes = (text: string): ReadonlyArray<string> =>
  parseDocument(sourceFile("a.yaml", text)).diagnostics.map(({ code }) => code)

const textAt = (document: Document, span: ReturnType<Document["spanOf"]>): string =>
  document.file.text.slice(span.start.offset, span.end.offset)

describe("a document", () => {
  it("gives the positions of keys and values", () => {
    const document = read("a:\n  - b: 1\n    c: two\nd: {e: [x, y]}\n")
    expect(document.value).toEqual({ a: [{ b: 1, c: "two" }], d: { e: ["x", "y"] } })
    expect(document.spanOf(["a", 0, "c"]).start).toEqual({ line: 3, col: 8, offset: 19 })
    expect(textAt(document, document.spanOf(["a", 0, "c"], "key"))).toBe("c")
    expect(textAt(document, document.spanOf(["d", "e", 1]))).toBe("y")
  })

  it("gives the nearest enclosing place for a missing path", () => {
    const document = read("a:\n  b: 1\n")
    expect(textAt(document, document.spanOf(["a", "missing", "deeper"]))).toBe("a")
  })

  it("gives the key's place for an empty value", () => {
    const document = read("a:\nb: 1\n")
    expect(textAt(document, document.spanOf(["a"]))).toBe("a")
  })

  it.each([
    ["plain", "t: one ${{ x }} two\n"],
    ["single quotes", "t: 'it''s ${{ x }}'\n"],
    ["double quotes with escapes", 't: "a\\n\\u00e9\\"\\U0001F600 ${{ x }}"\n'],
    ["a folded plain text", "t: one\n  two\n\n  three ${{ x }}\n"],
    ["double quotes over lines", 't: "one\n  two \\\n  three ${{ x }}"\n'],
    ["a literal block", "t: |\n  one\n\n    two ${{ x }}\n"],
    ["a literal block with an indent of its own", "t: |2\n    one ${{ x }}\n"],
    ["a folded block", "t: >-\n  one\n  two\n\n  three ${{ x }}\n"],
    ["Windows line ends", "t: |\r\n  one\r\n  two ${{ x }}\r\n"],
  ])("finds an expression inside %s", (_, yaml) => {
    const document = read(yaml)
    const { t } = document.value as { readonly t: string }
    const from = t.indexOf("x }}")
    expect(textAt(document, document.spanWithin(["t"], from, from + 1))).toBe("x")
    const span = document.spanWithin(["t"], from, from + 1)
    expect(document.file.text[span.start.offset + 1]).toBe(" ")
  })

  it("gives the position of every letter of any text in any style", () => {
    const line = fc.stringMatching(/^(?:[a-zA-Z0-9:#'"\\\- {}é]|😀){0,20}$/)
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
        fc.integer({ min: 20, max: 80 }),
        (lines, style, lineWidth) => {
          const written = lines.join("\n")
          const yaml = stringify(
            { a: [{ t: written }] },
            { defaultStringType: style as never, lineWidth },
          )
          const { document } = parseDocument(sourceFile("a.yaml", yaml))
          const holder = document!.value as { readonly a: ReadonlyArray<{ readonly t: string }> }
          // The library does not write every text so that it reads the same again.
          const { t } = holder.a[0]!
          for (let index = 0; index < t.length; index++) {
            if (!/[a-zA-Z0-9]/.test(t[index]!)) continue
            const span = document!.spanWithin(["a", 0, "t"], index, index + 1)
            expect(textAt(document!, span)).toBe(t[index])
          }
        },
      ),
      { numRuns: cases(500) },
    )
  })

  it.each([
    ["", "PL0002"],
    ["# only a comment\n", "PL0002"],
    ["a: [1\n", "PL0003"],
    ["a: 1\na: 2\n", "PL0004"],
    ["a: !done\n", "PL0005"],
    ["a: !!binary aGVsbG8=\n", "PL0005"],
    ["a: &x [*x]\n", "PL0006"],
    ["a: .inf\n", "PL0007"],
    ["a: 1\n---\nb: 2\n", "PL0008"],
    ["a: *nowhere\n", "PL0003"],
    ["__proto__: 1\n", "PL0003"],
    ["? [a, b]\n: 1\n", "PL0003"],
    ["[".repeat(50_000), "PL0003"],
    [`${"- ".repeat(20_000)}a`, "PL0003"],
  ])("rejects %j", (yaml, code) => {
    expect(codes(yaml)).toEqual([code])
  })

  it.each([
    "a: { b: Say it ${{ x }}, c: 1 }\nd: [1]\n",
    "a: { b: ${{ x }}, c: 1 }\n",
    "a: [ ${{ x }} ]\n",
  ])("reports once that an expression needs quotes in %j", (yaml) => {
    const { diagnostics } = parseDocument(sourceFile("a.yaml", yaml))
    expect(diagnostics.map(({ help }) => help)).toEqual(['quote the whole value: "… ${{ … }} …"'])
    const [{ end, start }] = diagnostics as [(typeof diagnostics)[0]]
    expect(yaml.slice(start.offset, end.offset)).toBe("${{ x }}")
  })

  it("reports nothing after the first token that the parser cannot place", () => {
    const { diagnostics } = parseDocument(sourceFile("a.yaml", "a: { b: c } } d: 1\n- e\n- f: [\n"))
    expect(diagnostics.length).toBe(1)
  })

  it("rejects an alias bomb within a second", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) =>
        `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? "x" : `*a${level - 1}`)).join(", ")}]`,
    )
    const start = performance.now()
    expect(codes(levels.join("\n"))).toEqual(["PL0006"])
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
