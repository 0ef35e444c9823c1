/** Plans without some closing brackets between list items: no step is lost or nested in another. */
import { isDeepStrictEqual } from "node:util"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textOf, type Token, tokensOf } from "./faults/Token.ts"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"
import type { Json, Result } from "../src/Salvage.ts"
import { cases } from "../../../../.config/cases.ts"

const text = fc.constantFrom("read", "a: b, c", "}, {", "find [1] and {2}", "Oslo", "x[0]}")
const leaf = fc.oneof(text, fc.integer({ min: 0, max: 99 }), fc.boolean(), fc.constant(null))

const { argument } = fc.letrec<{ argument: Json }>((tie) => ({
  argument: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.array(fc.record({ name: text, value: tie("argument") }), { minLength: 1, maxLength: 2 }),
    fc.record({ unit: leaf, range: tie("argument") }),
  ),
}))

const step = fc.record(
  { id: text, tool: text, args: fc.dictionary(fc.constantFrom("q", "to", "rows"), argument) },
  { noNullPrototype: true },
)
const steps = fc.array(step, { minLength: 2, maxLength: 4 })
const plans: fc.Arbitrary<Json> = fc
  .oneof(
    steps,
    fc.record({ goal: text, steps }),
    fc.record({
      phases: fc.array(fc.record({ steps, phase: leaf }), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ plan: fc.record({ groups: fc.array(steps, { minLength: 2, maxLength: 3 }) }) }),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

/** The runs of closers that end an item with another item behind it. */
const runsOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> => {
  const runs: Array<ReadonlyArray<Token>> = []
  const open: Array<string> = []
  let run: Array<Token> = []
  for (const token of tokens) {
    if (token.kind === "open") open.push(token.text)
    else if (token.kind === "close") {
      open.pop()
      run.push(token)
    }
    if (token.kind === "comma" && open.at(-1) === "[" && run.length > 0) runs.push(run)
    if (token.kind !== "close" && token.kind !== "blank") run = []
  }
  return runs
}

type Style = (tokens: ReadonlyArray<Token>) => void

/** Takes out as many neighbours of one run; `undefined` where no run is that long. */
const without = (
  { plan, pick, lines }: { readonly plan: Json; readonly pick: number; readonly lines: boolean },
  count: number,
  style?: Style,
): string | undefined => {
  const tokens = tokensOf(plan, lines)
  style?.(tokens)
  const choices = runsOf(tokens).flatMap((run) =>
    run.slice(count - 1).map((_, from) => run.slice(from, from + count)),
  )
  if (choices.length === 0) return undefined
  for (const token of choices[pick % choices.length]!) token.text = ""
  return textOf(tokens)
}

const lost = fc.record({ plan: plans, pick: fc.nat(999), lines: fc.boolean() })

const isRightOrRefused = (result: Result, plan: Json): boolean =>
  !result.ok || isDeepStrictEqual(result.value, plan)

const single = (value: Json) => `'${String(value).replaceAll("'", "\\'")}'`

const styles: { readonly [name: string]: Style } = {
  "as JSON": () => undefined,
  "with trailing commas": (tokens) => {
    for (const [at, token] of tokens.entries())
      if (token.kind === "blank" && tokens[at + 1]?.kind === "close") token.text = `,${token.text}`
  },
  "as a Python literal": (tokens) => {
    for (const token of tokens) {
      if (token.kind === "text" || token.kind === "key") token.text = single(token.value!)
      else if (token.text === "null") token.text = "None"
      else if (token.kind === "scalar")
        token.text = token.text.replace("true", "True").replace("false", "False")
    }
  },
  "in a fence": (tokens) => {
    tokens[0]!.text = `The plan:\n\`\`\`json\n${tokens[0]!.text}`
    tokens.at(-1)!.text += "\n```\nIt has [all] steps."
  },
}

describe("a plan that lost one closer between list items", () => {
  it.each(Object.keys(styles))("is read as intended or rejected (%s)", (style) => {
    let read = 0
    let all = 0
    fc.assert(
      fc.property(lost, (plan) => {
        const broken = without(plan, 1, styles[style])
        fc.pre(broken !== undefined)
        const result = parse(broken!)
        all++
        if (result.ok) read++
        expect(isRightOrRefused(result, plan.plan), broken).toBe(true)
      }),
      { numRuns: cases(120, 2.5) },
    )
    expect(read / all).toBeGreaterThan(0.9)
  })

  it("gives the same result streamed and parsed", () => {
    fc.assert(
      fc.property(lost, fc.integer({ min: 1, max: 40 }), (plan, size) => {
        const broken = without(plan, 1)
        fc.pre(broken !== undefined)
        const reading = stream()
        for (let at = 0; at < broken!.length; at += size) {
          reading.push(broken!.slice(at, at + size))
          reading.partial()
        }
        expect(reading.end()).toEqual(parse(broken!))
      }),
      { numRuns: cases(50, 2) },
    )
  })
})

describe("a plan that lost two neighbouring closers between list items", () => {
  it("keeps an empty object apart from the items behind it, at any depth", () => {
    const broken =
      '{"groups":[[{"id":"x","args":{}}],[{"id":"a","args":{, {"id":"b","args":{}}, {"id":"c","args":{}}]]}'
    const result = parse(broken)
    const plan = {
      groups: [[{ id: "x", args: {} }], ["a", "b", "c"].map((id) => ({ id, args: {} }))],
    }
    expect(result.ok && result.value).toEqual(plan)
  })

  it("is read as intended or rejected", () => {
    fc.assert(
      fc.property(lost, (plan) => {
        const broken = without(plan, 2)
        fc.pre(broken !== undefined)
        expect(isRightOrRefused(parse(broken!), plan.plan), broken).toBe(true)
      }),
      { numRuns: cases(120, 2.5) },
    )
  })
})

/** Documents whose items have members of their own, too. */
const small = fc.oneof(text, fc.integer({ min: 0, max: 9 }), fc.constant(null))
const some = (...names: ReadonlyArray<string>) =>
  fc.dictionary(fc.constantFrom(...names), small, { noNullPrototype: true })
const documents: { readonly [name: string]: fc.Arbitrary<Json> } = {
  steps: fc.array(fc.record({ a: small, b: some("c", "d", "e", "f") }, { noNullPrototype: true }), {
    minLength: 1,
    maxLength: 3,
  }),
  invoice: fc.record(
    {
      buyer: fc.record({ name: text, seat: fc.record({ city: text, zip: small }) }),
      lines: fc.array(
        fc.record({ sku: text, price: some("net", "gross", "tax"), tags: fc.array(small) }),
        { minLength: 1, maxLength: 3 },
      ),
      notes: fc.array(small, { maxLength: 2 }),
    },
    { noNullPrototype: true },
  ),
  sensors: fc.record(
    {
      site: text,
      readings: fc.array(fc.tuple(fc.integer(), some("low", "high"), fc.array(small)), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { noNullPrototype: true },
  ),
}

describe("a document that lost one closer anywhere", () => {
  it.each(Object.keys(documents))("is not read as another one without a loss: %s", (name) => {
    const outcomes = { right: 0, doubtful: 0, cut: 0, refused: 0 }
    fc.assert(
      fc.property(documents[name]!, fc.nat(999), fc.boolean(), (value, pick, lines) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json
        const tokens = tokensOf(plain, lines)
        const closing = tokens.filter(({ kind }) => kind === "close")
        closing[pick % closing.length]!.text = ""
        const broken = textOf(tokens)
        const result = parse(broken)
        if (!result.ok) outcomes.refused++
        else if (result.repairs.some(({ loss }) => loss === true)) outcomes.doubtful++
        else if (!result.complete) outcomes.cut++
        else {
          outcomes.right++
          expect(result.value, broken).toEqual(plain)
        }
        const careful = parse(broken, undefined, { lossy: "refuse" })
        if (careful.ok && careful.complete) expect(careful.value, broken).toEqual(plain)
      }),
      { numRuns: cases(200, 2) },
    )
    process.stdout.write(`${name} ${JSON.stringify(outcomes)}\n`)
  })

  it("is read as its last brackets say, as doubtful, if an item ends in one object", () => {
    const broken = '[{"a": 1, "b": {"c": 2, "d": 3}]'
    expect(parse(broken)).toMatchObject({
      ok: true,
      value: [{ a: 1, b: { c: 2, d: 3 } }],
      repairs: [{ kind: "missing_closer", loss: true }],
    })
    expect(parse(broken, undefined, { lossy: "refuse" }).ok).toBe(false)
  })

  it("is read as doubtful if an opener may be one too many instead", () => {
    const result = parse('[{"a": [["x", null, 2], "b": null}, 6]')
    expect(result.ok && result.repairs.some(({ loss }) => loss === true)).toBe(true)
  })
})

describe("a text of brackets and parentheses in no order", () => {
  it.each(['[}([[}"a":()[[{{{]', '[()11]([[)}"a":]', '[({"a":["a":),[['])(
    "is read or rejected without an exception: %s",
    (broken) => {
      expect(parse(broken).ok).toBeTypeOf("boolean")
    },
  )
})

describe("a document with two readings", () => {
  const refused: ReadonlyArray<readonly [text: string, message: string, path: string]> = [
    ['[{"t": [{"b": 1}, {"t": [{"b": 2}]}]', "may belong to an outer list", "/0/t/1"],
    ['{"a": [1], [2, 3], "b": 4}', "has both surplus and missing brackets", ""],
  ]
  it.each(refused)("is rejected: %s", (broken, message, path) => {
    const result = parse(broken)
    expect(result).toMatchObject({ ok: false, reasons: [{ path }] })
    expect(!result.ok && result.reasons[0]!.message).toContain(message)
  })

  const schema = {
    type: "object",
    properties: { steps: { type: "array", items: { $ref: "#/$defs/step" } } },
    additionalProperties: false,
    $defs: {
      step: {
        type: "object",
        properties: { id: { type: "string" }, after: { type: "array", items: { type: "string" } } },
        required: ["id"],
        additionalProperties: false,
      },
    },
  }
  it("is rejected if fitting would turn a step into text", () => {
    const broken = '{"steps": [{"id": "a", "after": ["x", {"id": "b", "after": []}]}'
    expect(parse(broken, schema).ok).toBe(false)
  })
})
