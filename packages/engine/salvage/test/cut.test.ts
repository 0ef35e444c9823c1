/** Valid replies that are cut at each character: with `lossy: "refuse"` none gives another value than the whole reply. */
import { isDeepStrictEqual } from "node:util"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"
import type { Json, Schema } from "../src/Salvage.ts"
import { cases } from "../../../../.config/cases.ts"

const text = fc.constantFrom("Oslo", "", "a, b", '"x": [1', "it's", "}]", "12", "true", "null")
const leaf = fc.oneof(text, fc.integer({ min: -9, max: 1234 }), fc.double(), fc.boolean())
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("id", "name", "to do", "n"), tie("value"), { maxKeys: 3 }),
  ),
}))
const documents = fc
  .oneof(
    fc.array(value, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("id", "steps", "q"), value, { maxKeys: 3 }),
    text,
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as Json)

const layouts: { readonly [name: string]: (value: Json) => string } = {
  "on one line": (one) => JSON.stringify(one),
  "on lines": (one) => JSON.stringify(one, undefined, 2),
  "in a fence": (one) => `\`\`\`json\n${JSON.stringify(one, undefined, 2)}\n\`\`\``,
  "in words": (one) => `Here it is:\n${JSON.stringify(one)}\nThat is all.`,
}

/** Characters before the second one of the value. */
const starts: { readonly [layout: string]: number } = { "in a fence": 9, "in words": 13 }

const schemaOf = (one: Json): Schema =>
  typeof one === "string" ? { type: "string" } : { type: Array.isArray(one) ? "array" : "object" }

describe.each(Object.keys(layouts))("a valid reply %s that is cut", (layout) => {
  it.each([false, true])("is the whole value or an error, with a schema: %s", (isTyped) => {
    fc.assert(
      fc.property(documents, (whole) => {
        fc.pre(starts[layout] === undefined || typeof whole !== "string")
        const reply = layouts[layout]!(whole)
        const schema = isTyped ? schemaOf(whole) : undefined
        // Before it, nothing of the value has been written.
        const start = starts[layout] ?? 0
        for (let end = start; end <= reply.length; end++) {
          const cut = reply.slice(0, end)
          const result = parse(cut, schema, { lossy: "refuse" })
          if (result.ok && !isDeepStrictEqual(result.value, whole))
            expect(result.value, cut).toEqual(whole)
          expect(!result.ok || result.complete, cut).toBe(true)
        }
        expect(parse(reply, schema, { lossy: "refuse" })).toMatchObject({ ok: true, value: whole })
      }),
      { numRuns: cases(40, 2) },
    )
  })
})

describe("a text that ends before its value", () => {
  const cut = '{"steps": [{"id": 1}, {"id": 2'

  it("is an error with the place of its end if `lossy` is `refuse`", () => {
    expect(parse(cut)).toMatchObject({ ok: true, complete: false })
    expect(parse(cut, undefined, { lossy: "refuse" })).toMatchObject({
      ok: false,
      best: { steps: [{ id: 1 }, { id: 2 }] },
      reasons: [{ message: "the text ends before its value does", at: { offset: cut.length } }],
    })
  })

  it.each(['{"steps": [{"id": 1}]', '{"steps": [{"id": 1}', "[[1, 2]"])(
    "is an error if only its last brackets are missing, because the next member may be: %s",
    (short) => {
      expect(parse(short)).toMatchObject({ ok: true, complete: false })
      expect(parse(short, undefined, { lossy: "refuse" }).ok).toBe(false)
    },
  )

  it("is the same error at the end of a stream", () => {
    const reading = stream(undefined, { lossy: "refuse" })
    reading.push(cut)
    expect(reading.end()).toEqual(parse(cut, undefined, { lossy: "refuse" }))
  })
})
