/** Choice of the answer among the parts of a text, and rejection without one. */
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
  it.each(["reasoning", "think", "thinking"])(
    "is returned apart from the answer, drafts included: <%s>",
    (tag) => {
      const result = parse(`<${tag}>Perhaps ${draft}?</${tag}>\n${final}`, plan)
      expect(result).toMatchObject({
        ok: true,
        value: { goal: "final" },
        reasoning: `Perhaps ${draft}?`,
      })
    },
  )

  it("with a draft only gives no answer", () => {
    const result = parse(`<think>Perhaps ${draft}?</think> I cannot decide.`, plan)
    expect(result).toMatchObject({ ok: false, reasoning: `Perhaps ${draft}?` })
    expect(parse(`<think>Perhaps ${draft}`, plan)).toMatchObject({
      ok: false,
      reasons: [{ message: "the text ends inside its reasoning" }],
    })
  })

  it("includes everything before a lone closing tag", () => {
    expect(parse(`First ${draft}. No.</think>${final}`, plan)).toMatchObject({
      ok: true,
      value: { goal: "final" },
      reasoning: `First ${draft}. No.`,
    })
  })

  it("ignores tags inside strings", () => {
    const text = '{"goal": "explain <think> and </think>", "steps": [],}'
    expect(parse(text, plan)).toMatchObject({
      ok: true,
      value: { goal: "explain <think> and </think>" },
      reasoning: "",
    })
  })
})

describe("several candidates", () => {
  it("resolve to the one that fits the schema", () => {
    const result = parse(`${final} and the settings {"mode": "fast"}`, plan)
    expect(result).toMatchObject({ ok: true, value: { goal: "final" } })
    expect(result.ok && result.repairs).toContainEqual(
      expect.objectContaining({ kind: "other_candidate", detail: '{"mode": "fast"}' }),
    )
  })

  it("resolve to the last of equals that words separate, and to the first without words between", () => {
    expect(parse(`${draft} No, rather ${final}`, plan)).toMatchObject({ value: { goal: "final" } })
    expect(parse(`${final}\n${draft}`, plan)).toMatchObject({ value: { goal: "final" } })
  })

  it("resolve to the fenced one first", () => {
    const text = `\`\`\`json\n${final}\n\`\`\`\nInstead of ${draft}.`
    expect(parse(text, plan)).toMatchObject({ value: { goal: "final" } })
  })
})

describe("several objects in place of a list", () => {
  const steps = { type: "array", items: { type: "object", required: ["id"] } }
  const items = [{ id: 1 }, { id: 2 }]

  it.each([
    'First {"id": 1} and then {"id": 2}.',
    '1. {"id": 1}\n2. {"id": 2}',
    'One:\n```json\n{"id": 1}\n```\nTwo:\n```json\n{"id": 2}\n```\nNot {"id": 3}.',
    'Given {"place": "Oslo"}: {"id": 1}, then {"id": 2}',
  ])("are its items: %j", (text) => {
    expect(parse(text, steps)).toMatchObject({ ok: true, value: items })
  })

  it("are not if a list is given, too", () => {
    expect(parse('Such as {"id": 7} and {"id": 8}: [{"id": 1}, {"id": 2}]', steps)).toMatchObject({
      ok: true,
      value: items,
    })
  })
})

describe("a scalar in a fence", () => {
  const fenced = 'Here it is:\n```json\n"x"\n```\nAnything else?'

  it("is the answer if the fence is tagged json", () => {
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

  it("is part of the text if the fence is not tagged json, unless text does not fit", () => {
    const text = "It prints:\n```\n42\n```\nas you asked."
    expect(parse(text, { type: "string" })).toMatchObject({ ok: true, value: text })
    expect(parse(text, { type: "integer" })).toMatchObject({ ok: true, value: 42 })
  })

  it.each([
    ["in a plain fence", 'It prints:\n```\n"x"\n```\nas you asked.'],
    ["in a tag", '<answer>"x"</answer>'],
    ["in a tag after words", 'So: <answer>\n"x"\n</answer>'],
  ])("is the answer if it is quoted: %s", (_where, text) => {
    expect(parse(text, { type: "string" })).toMatchObject({ ok: true, value: "x" })
    expect(parse(text)).toMatchObject({ ok: true, value: "x" })
  })

  it("is no answer if there are two", () => {
    const text = "First\n```json\n1\n```\nthen\n```json\n2\n```"
    expect(parse(text, { type: "integer" }).ok).toBe(false)
  })
})

describe("a text without an answer", () => {
  it.each(["", "   ", "I am sorry, I cannot do that.", "```json\n```", "{", "see [1] and [2]"])(
    "is rejected for an object: %j",
    (text) => {
      expect(parse(text, plan).ok).toBe(false)
    },
  )

  it("lacks a required value: none is invented", () => {
    expect(parse('{"goal": "x"}', plan)).toMatchObject({
      ok: false,
      reasons: [{ path: "", at: { offset: 0 } }],
      best: { goal: "x" },
    })
    expect(parse('{"goal": "x", "steps":', plan).ok).toBe(false)
  })

  it("is rejected with the location of the value that does not fit", () => {
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

describe("strict mode", () => {
  it("accepts only valid JSON without duplicate names", () => {
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

describe("untyped callers", () => {
  const unchecked = parse as (text: unknown, schema?: unknown) => unknown

  it("get a TypeError for text that is not a string and for an invalid schema", () => {
    expect(() => unchecked(null)).toThrow("expected text, not null")
    expect(() => unchecked(undefined, {})).toThrow("expected text, not undefined")
    for (const schema of [3, null, []]) {
      expect(() => unchecked("{}", schema)).toThrow("a schema must be an object, true or false")
      expect(() => unchecked("{a: 1", schema)).toThrow("a schema must be an object, true or false")
    }
  })

  it("get a TypeError for streaming undefined", () => {
    const push = stream().push as (chunk: unknown) => void
    expect(() => push.call(stream(), undefined)).toThrow("expected text, not undefined")
  })
})
