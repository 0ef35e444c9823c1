/** Quotes inside of an expression that end its YAML value: the value to write is YAML with the same expression. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { cases } from "../../../../../.config/cases.ts"
import { parseDocument } from "./Document.ts"
import { sourceFile } from "./SourceFile.ts"

const word = fc.stringMatching(/^[a-z][a-z ]{0,8}$/)
const around = fc.stringMatching(/^(?:[A-Za-z.]{1,6} )?$/)

/** `inputs.a == "x" ? "y" : …`, with texts in one kind of quotes. */
const expression = (quote: string) =>
  fc
    .array(
      word.map((text) => `${quote}${text}${quote}`),
      { minLength: 1, maxLength: 3 },
    )
    .map(([first, ...others]) =>
      others.reduce((rest, text) => `inputs.b ? ${text} : ${rest}`, `inputs.a == ${first}`),
    )

it("is one problem, and its help is a value with the same texts", () => {
  fc.assert(
    fc.property(
      fc.constantFrom('"', "'").chain((quote) =>
        fc.record({
          quote: fc.constant(quote),
          inside: expression(quote),
          before: around,
          after: around,
          isFlow: fc.boolean(),
        }),
      ),
      ({ after, before, inside, isFlow, quote }) => {
        const content = `${before}\${{ ${inside} }} ${after}`.trimEnd()
        const value = `${quote}${content}${quote}`
        const text = isFlow ? `with: { value: ${value} }\n` : `with:\n  value: ${value}\n`
        const { diagnostics } = parseDocument(sourceFile("w.yaml", text))
        expect(diagnostics.map(({ code }) => code)).toEqual(["PL0003"])
        const [, written] = /^write (.*)$/.exec(diagnostics[0]!.help ?? "") ?? []
        const read = parse(`value: ${written}`) as { readonly value: string }
        const other = quote === '"' ? "'" : '"'
        expect(read.value).toBe(content.replaceAll(quote, other))
      },
    ),
    { numRuns: cases(200) },
  )
})
