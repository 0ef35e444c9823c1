/** Schemas of other libraries guide the reading, validate and type the value; JSON Schemas as literals type it, too. */
import { describe, expect, expectTypeOf, it } from "vitest"
import { parse, stream, type Json, type StandardSchema } from "@planloom/salvage"

interface Trip {
  readonly city: string
  readonly start: Date
}

const date = /^\d{4}-\d{2}-\d{2}$/

/** As a library would make it: the dates that it reads are text, those that it returns are not. */
const validate: StandardSchema<Trip>["~standard"]["validate"] = (value) => {
  const { city, start } = value as { readonly city?: unknown; readonly start?: unknown }
  if (typeof city !== "string") return { issues: [{ message: "expected text", path: ["city"] }] }
  return typeof start === "string" && date.test(start)
    ? { value: { city, start: new Date(start) } }
    : { issues: [{ message: "expected a date", path: [{ key: "start" }] }] }
}

const plain: StandardSchema<Trip> = {
  "~standard": { version: 1, vendor: "test", validate },
}

const guiding: StandardSchema<Trip> = {
  "~standard": {
    ...plain["~standard"],
    jsonSchema: {
      input: ({ target }) => ({
        $schema: `https://json-schema.org/${target.replace("-", "/")}/schema`,
        type: "object",
        properties: { city: { type: "string" }, start: { type: "string", format: "date" } },
        required: ["city", "start"],
      }),
    },
  },
}

describe("a Standard Schema", () => {
  it("with a JSON Schema guides the reading, and its output is the value", () => {
    const text = 'Not {"city": "Oslo"} but {City: "Bergen", start: "5 May 2026"}.'
    const result = parse(text, guiding)
    expect(result).toMatchObject({
      ok: true,
      value: { city: "Bergen", start: new Date("2026-05-05") },
      complete: true,
    })
    expect(result.ok && result.repairs.map(({ kind }) => kind)).toContain("to_date")
    if (result.ok) expectTypeOf(result.value).toEqualTypeOf<Trip>()
  })

  it("without one validates the value that is read", () => {
    expect(parse("{city: 'Oslo', start: '2026-05-05',}", plain)).toMatchObject({
      ok: true,
      value: { city: "Oslo", start: new Date("2026-05-05") },
    })
    expect(parse("{city: 'Oslo', start: 'soon'}", plain)).toEqual({
      ok: false,
      reasons: [
        {
          message: "/start: expected a date",
          path: "/start",
          at: { offset: 0, line: 1, column: 1 },
        },
      ],
      reasoning: "",
      best: { city: "Oslo", start: "soon" },
    })
  })

  it("may be a function", () => {
    const callable = Object.assign(() => undefined, plain)
    expect(parse("{city: 'Oslo', start: '2026-05-05'}", callable).ok).toBe(true)
  })

  it("validates without its JSON Schema if that cannot be written", () => {
    const input = () => {
      throw new Error("a date has no JSON Schema")
    }
    const schema = { "~standard": { ...plain["~standard"], jsonSchema: { input } } }
    expect(parse("{city: 'Oslo', start: '2026-05-05'}", schema).ok).toBe(true)
  })

  it("that validates asynchronously is refused with a TypeError", () => {
    const later: StandardSchema<Trip> = {
      "~standard": { ...plain["~standard"], validate: async (value) => validate(value) },
    }
    expect(() => parse("{}", later)).toThrow("the schema validates asynchronously")
  })

  it("validates the end of a stream", () => {
    const reading = stream(guiding)
    reading.push('{"city": "Oslo", "sta')
    expect(reading.partial().value).toEqual({ city: "Oslo" })
    reading.push('rt": "2026-05-05"}')
    const result = reading.end()
    expect(result).toMatchObject({ ok: true, value: { start: new Date("2026-05-05") } })
    if (result.ok) expectTypeOf(result.value).toEqualTypeOf<Trip>()
  })
})

describe("the type of the value", () => {
  it("follows from a JSON Schema that is a literal, or is given", () => {
    const typed = parse("{n: 1}", {
      type: "object",
      properties: { n: { type: "integer" }, t: { type: "string" } },
      required: ["n"],
    })
    if (typed.ok) {
      expectTypeOf(typed.value.n).toEqualTypeOf<number>()
      expectTypeOf(typed.value.t).toEqualTypeOf<string | undefined>()
    }
    const given = parse<{ n: number }>("{n: 1}", { type: "object" })
    if (given.ok) expectTypeOf(given.value).toEqualTypeOf<{ n: number }>()
    const any = parse("{n: 1}")
    if (any.ok) expectTypeOf(any.value).toEqualTypeOf<Json>()
    for (const result of [typed, given, any])
      expect(result).toMatchObject({ ok: true, value: { n: 1 } })
  })
})
