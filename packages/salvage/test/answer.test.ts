/** Which part of the text is the answer, and when there is none. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"

const plan = {
  type: "object",
  properties: { goal: { type: "string" }, steps: { type: "array", items: { type: "string" } } },
  required: ["goal", "steps"],
}
const draft = '{"goal": "draft", "steps": []}'
const final = '{"goal": "final", "steps": ["go"]}'

describe("reasoning", () => {
  it.each(["reasoning", "think", "thinking"])("sets <%s> aside, drafts and all", (tag) => {
    const result = parse(`<${tag}>Perhaps ${draft}?</${tag}>\n${final}`, plan)
    expect(result).toMatchObject({
      ok: true,
      value: { goal: "final" },
      reasoning: `Perhaps ${draft}?`,
    })
  })

  it("never takes a draft for the answer", () => {
    const result = parse(`<think>Perhaps ${draft}?</think> I cannot decide.`, plan)
    expect(result).toMatchObject({ ok: false, reasoning: `Perhaps ${draft}?` })
    expect(parse(`<think>Perhaps ${draft}`, plan)).toMatchObject({
      ok: false,
      reasons: [{ message: "the text ends inside its reasoning" }],
    })
  })

  it("takes all before a lone closing tag for reasoning", () => {
    expect(parse(`First ${draft}. No.</think>${final}`, plan)).toMatchObject({
      ok: true,
      value: { goal: "final" },
      reasoning: `First ${draft}. No.`,
    })
  })

  it("leaves tags inside strings alone", () => {
    const text = '{"goal": "explain <think> and </think>", "steps": [],}'
    expect(parse(text, plan)).toMatchObject({
      ok: true,
      value: { goal: "explain <think> and </think>" },
      reasoning: "",
    })
  })
})

describe("several candidates", () => {
  it("takes the one that fits the schema", () => {
    const result = parse(`${final} and the settings {"mode": "fast"}`, plan)
    expect(result).toMatchObject({ ok: true, value: { goal: "final" } })
    expect(result.ok && result.repairs).toContainEqual(
      expect.objectContaining({ kind: "other_candidate", detail: '{"mode": "fast"}' }),
    )
  })

  it("takes the last of equals that words separate, the first of one run", () => {
    expect(parse(`${draft} No, rather ${final}`, plan)).toMatchObject({ value: { goal: "final" } })
    expect(parse(`${final}\n${draft}`, plan)).toMatchObject({ value: { goal: "final" } })
  })

  it("takes the fenced one before others", () => {
    const text = `\`\`\`json\n${final}\n\`\`\`\nInstead of ${draft}.`
    expect(parse(text, plan)).toMatchObject({ value: { goal: "final" } })
  })
})

describe("a scalar in a fence", () => {
  const fenced = 'Here it is:\n```json\n"x"\n```\nAnything else?'

  it("is the answer where the fence says that it holds JSON", () => {
    const result = parse(fenced, { type: "string" })
    expect(result).toMatchObject({ ok: true, value: "x" })
    expect(result.ok && result.repairs).toMatchObject([
      { kind: "surrounding_text", detail: expect.stringContaining("Here it is") as string },
    ])
    expect(parse(fenced)).toMatchObject({ ok: true, value: "x" })
    expect(parse("So:\n```json\nnull\n```", { type: ["string", "null"] })).toMatchObject({
      ok: true,
      value: null,
    })
    expect(parse("So:\n```json\n42\n```", { type: "integer" })).toMatchObject({ value: 42 })
  })

  it("is a part of a text where the fence does not say so", () => {
    const text = "It prints:\n```\n42\n```\nas you asked."
    expect(parse(text, { type: "string" })).toMatchObject({ ok: true, value: text })
  })
})

describe("no answer", () => {
  it.each(["", "   ", "I am sorry, I cannot do that.", "```json\n```", "{", "see [1] and [2]"])(
    "refuses %j for an object",
    (text) => {
      expect(parse(text, plan).ok).toBe(false)
    },
  )

  it("never invents a required value", () => {
    expect(parse('{"goal": "x"}', plan)).toMatchObject({
      ok: false,
      reasons: [{ path: "", at: { offset: 0 } }],
      best: { goal: "x" },
    })
    expect(parse('{"goal": "x", "steps":', plan).ok).toBe(false)
  })

  it("tells where the value that does not fit stands", () => {
    const text = '{\n  "goal": "x",\n  "steps": [{}]\n}'
    const schema = {
      ...plan,
      properties: { ...plan.properties, steps: { type: "array", items: { type: "integer" } } },
    }
    expect(parse(text, schema)).toMatchObject({
      ok: false,
      reasons: [
        {
          message: "/steps/0 must be a whole number",
          path: "/steps/0",
          at: { line: 3, column: 13 },
        },
      ],
    })
  })
})

describe("strict", () => {
  it("takes valid JSON only, without duplicate names", () => {
    const strict = { strict: true }
    expect(parse('{"a": 1}', undefined, strict)).toMatchObject({ ok: true, value: { a: 1 } })
    expect(parse('{"a": 1,}', undefined, strict)).toMatchObject({ ok: false })
    expect(parse('{"a": 1, "a": 2}', undefined, strict)).toMatchObject({
      ok: false,
      reasons: [{ at: { offset: 14 } }],
    })
    expect(parse('{"a": "1"}', { properties: { a: { type: "number" } } }, strict).ok).toBe(false)
  })
})

describe("callers without types", () => {
  const unchecked = parse as (text: unknown, schema?: unknown) => unknown

  it("are told that text is wanted, and what a schema is", () => {
    expect(() => unchecked(null)).toThrow("text is wanted, not null")
    expect(() => unchecked(undefined, {})).toThrow("text is wanted, not undefined")
    for (const schema of [3, null, []]) {
      expect(() => unchecked("{}", schema)).toThrow("a schema is an object, true or false")
      expect(() => unchecked("{a: 1", schema)).toThrow("a schema is an object, true or false")
    }
  })

  it("do not stream the word undefined", () => {
    const push = stream().push as (chunk: unknown) => void
    expect(() => push.call(stream(), undefined)).toThrow("text is wanted, not undefined")
  })
})
