/** Plans with one bracket too few, too many or of the other kind: every step comes back with its own members, or the text is rejected. */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"
import type { Json, Result } from "../src/Salvage.ts"

const plans: { readonly [name: string]: Json } = {
  "steps with parameters and requirements": {
    goal: "visit Oslo",
    steps: [
      { id: "s1", tool: "find", params: { place: "Oslo", days: 2 }, satisfies: ["r1"] },
      { id: "s2", tool: "book", params: { hotel: { name: "Sky", stars: 4 } }, satisfies: ["r2"] },
      { id: "s3", tool: "rent", params: { car: { name: "Volt", stars: 3 } }, satisfies: ["r3"] },
    ],
  },
  "a list of calls": [
    { function: { name: "read", arguments: { path: "a.md", lines: [1, 2] } }, type: "function" },
    { function: { name: "read", arguments: { path: "b.md", lines: [3, 4] } }, type: "function" },
    { function: { name: "list", arguments: { path: "docs" } }, type: "function" },
  ],
  "numbered steps": {
    plan: [
      { step: "1. Find the flight", tool: "search", param: { from: "Rome", to: "Oslo" } },
      { step: "2. Book it, then stop", tool: "book", param: { seats: ["1A", "1B"] } },
      { step: "3. Send the [ticket]", tool: "mail", param: { to: "Bob" } },
    ],
  },
}

const layouts = [JSON.stringify, (plan: Json) => JSON.stringify(plan, undefined, 2)]

/** Offsets of the brackets outside strings. */
const bracketsOf = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)]
    .filter(([token]) => token.length === 1)
    .map(({ index }) => index)

const other: { readonly [bracket: string]: string } = { "{": "[", "}": "]", "[": "{", "]": "}" }

const faults: { readonly [name: string]: (bracket: string) => string } = {
  "one bracket lost": () => "",
  "one bracket doubled": (bracket) => bracket + bracket,
  "one bracket of the other kind": (bracket) => other[bracket]!,
}

const isRight = (result: Result, plan: Json): boolean =>
  result.ok && isDeepStrictEqual(result.value, plan)

describe.each(Object.keys(plans))("%s", (name) => {
  const plan = plans[name]!
  it.each(Object.keys(faults))("with %s come back whole, or are rejected or marked", (fault) => {
    const broken = layouts.flatMap((write) => {
      const text = write(plan)
      return bracketsOf(text).map(
        (at) => text.slice(0, at) + faults[fault]!(text[at]!) + text.slice(at + 1),
      )
    })
    const changed = broken.filter((text) => {
      const result = parse(text)
      return result.ok && result.complete && !isRight(result, plan)
    })
    expect(changed).toEqual([])
    const right = broken.filter((text) => isRight(parse(text), plan))
    expect(right.length / broken.length).toBeGreaterThan(0.85)
  })
})

describe("a bracket that stands in one place only", () => {
  it.each([
    ['[{"f": "n": 1}}, {"f": {"n": 2}}]', [{ f: { n: 1 } }, { f: { n: 2 } }], "missing_opener"],
    ['"plan": [{"id": 1}]}', { plan: [{ id: 1 }] }, "missing_opener"],
    ['{"l": [[{"a": 1}, [{"a": 2}]]}', { l: [[{ a: 1 }], [{ a: 2 }]] }, "missing_closer"],
    ['{"l": [{"a": 1}, {"a": 2}}', { l: [{ a: 1 }, { a: 2 }] }, undefined],
  ])("is reported where it belongs: %s", (text, value, kind) => {
    const result = parse(text)
    expect(result.ok && result.value).toEqual(value)
    if (kind !== undefined) expect(result.ok && result.repairs[0]!.kind).toBe(kind)
  })

  it("is placed by the indentation where the members could belong to two objects", () => {
    const text = '{\n  "a": {\n    "b": {\n      "x": 1,\n      "y": 2\n    ,\n    "z": 3\n  }\n}'
    expect(parse(text)).toMatchObject({ ok: true, value: { a: { b: { x: 1, y: 2 }, z: 3 } } })
  })

  it("is placed by the schema where nothing else decides", () => {
    const schema = {
      type: "object",
      properties: {
        a: {
          type: "object",
          properties: {
            b: { type: "object", properties: { x: {}, y: {} }, additionalProperties: false },
            z: {},
          },
          additionalProperties: false,
        },
        l: { type: "array" },
      },
    }
    const text = '[{"a": {"b": {"x": 1, "y": 2, "z": 3}, "l": []}]'
    expect(parse(text).ok).toBe(false)
    expect(parse(text, { type: "array", items: schema })).toMatchObject({
      ok: true,
      value: [{ a: { b: { x: 1, y: 2 }, z: 3 }, l: [] }],
    })
  })

  it("has the same result streamed", () => {
    const text = JSON.stringify(plans["a list of calls"]).replace("2]}}", "2]}")
    const reading = stream()
    for (const char of text) {
      reading.push(char)
      reading.partial()
    }
    expect(reading.end()).toEqual(parse(text))
  })
})

describe("a text that is read with a loss", () => {
  it("is rejected with the repair and its location if `lossy` is `refuse`", () => {
    const text = '{"a": 1, "a": 2}'
    expect(parse(text)).toMatchObject({ ok: true, value: { a: 2 } })
    const refused = parse(text, undefined, { lossy: "refuse" })
    expect(refused).toMatchObject({ ok: false, best: { a: 2 }, reasons: [{ path: "/a" }] })
    expect(!refused.ok && refused.reasons[0]!.message).toContain("duplicate_key")
  })

  it("is accepted if only its form was repaired", () => {
    expect(parse("{a: 1,}", undefined, { lossy: "refuse" }).ok).toBe(true)
  })
})
