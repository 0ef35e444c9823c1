/** Guarantees for any text: no invented required value, no data dropped without a repair, no object out of prose. */
import { describe, expect, it } from "vitest"
import { cases, seedOf } from "../../../../.config/cases.ts"
import { describedOf, randomOf, type Random } from "./faults/described.ts"
import { broken, documents, faults } from "./faults/measure.ts"
import { textOf, tokensOf } from "./faults/Token.ts"
import { parse } from "../src/parse.ts"
import type { Json, JsonObject, RepairKind, Result } from "../src/Salvage.ts"

/** These put another document into the text, which may then be the answer. */
const ofOthers = /draft|example|given twice|other values|reasoning/

describe("a missing required value", () => {
  const required = (schema: unknown) => (schema as { required: ReadonlyArray<string> }).required

  it.each(Object.keys(faults).filter((name) => !ofOthers.test(name)))(
    "is not invented: %s",
    (name) => {
      for (const [at, { value, schema }] of documents.entries()) {
        const lost = required(schema)[0]
        if (lost === undefined || Object.keys(value).length < 2) continue
        const { [lost]: _lost, ...rest } = value
        const text = broken({ value: rest, schema }, [name], at)
        if (text === undefined) continue
        const result = parse(text, schema)
        expect(result.ok, text).toBe(false)
      }
    },
  )

  it("is not invented for a cut text", () => {
    for (const [at, { value, schema }] of documents.entries()) {
      const text = textOf(tokensOf(value, at % 2 === 0))
      const random = randomOf(seedOf(at))
      for (let times = 0; times < 8; times++) {
        const result = parse(text.slice(0, random.below(text.length)), schema)
        if (!result.ok) continue
        expect(result.complete).toBe(false)
        for (const name of required(schema))
          expect((result.value as JsonObject)[name], text).toBeDefined()
      }
    }
  })
})

/** Repairs that report omitted text. */
const leavesOut: ReadonlySet<RepairKind> = new Set([
  "reasoning",
  "surrounding_text",
  "other_candidate",
  "comment",
  "dropped_text",
  "dropped_member",
  "dropped_item",
  "duplicate_key",
  "ellipsis",
  "unwrapped",
  "not_finite",
])

/** Documents of nothing but different words and numbers, so that each can be looked for. */
const marked = (
  random: Random,
): { readonly value: Json; readonly marks: ReadonlyArray<string> } => {
  const marks: Array<string> = []
  const fresh = () => {
    const mark = `${random.chance(0.5) ? "word" : "7"}${1000 + marks.length}`
    marks.push(mark)
    return mark
  }
  const make = (depth: number): Json => {
    const kind = random.below(depth < 3 ? 4 : 2)
    if (kind < 2) {
      const mark = fresh()
      return mark.startsWith("7") ? Number(mark) : mark
    }
    const items = Array.from({ length: 1 + random.below(3) }, () => make(depth + 1))
    return kind === 2
      ? items
      : Object.fromEntries(
          items.map((item, index) => [`${fresh()}k${index}`.replace(/^7/, "n"), item]),
        )
  }
  const value = [make(1), make(1)]
  return { value, marks: marks.map((mark) => mark.replace(/^(?:word|7)/, "")) }
}

const SCRAPS = [
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "\\",
  "\n",
  "//",
  "=",
  "(",
  ")",
  "“",
  "-",
  "+",
  "*",
  "#",
  "<",
  ";",
]

/** The text with some of its tokens taken out or changed for others, or scraps put between. */
const mangled = (value: Json, random: Random): string => {
  const tokens = tokensOf(value, random.chance(0.5))
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(tokens.length)
    const token = tokens[at]!
    const isData = token.value !== undefined
    const how = random.below(4)
    if (how === 0 && !isData) token.text = ""
    else if (how === 1 && !isData) token.text = random.one(SCRAPS)
    else if (how === 2) token.text = `${token.text}${random.one(SCRAPS)}`
    else token.text = `${random.one(SCRAPS)}${token.text}`
  }
  return textOf(tokens)
}

const saysAll = (result: Result, marks: ReadonlyArray<string>): boolean => {
  if (!result.ok) return true
  const shown = JSON.stringify(result.value) + result.reasoning
  const lost = marks.filter((mark) => !shown.includes(mark))
  return lost.length === 0 || result.repairs.some(({ kind }) => leavesOut.has(kind))
}

describe("data", () => {
  it("is in the value unless a repair reports an omission", () => {
    for (let at = 0; at < cases(3000); at++) {
      const random = randomOf(seedOf(at))
      const { value, marks } = marked(random)
      const text = mangled(value, random)
      expect(saysAll(parse(text), marks), `${at}: ${text}`).toBe(true)
    }
  })

  it("of members is in the fitted value unless a repair reports an omission", () => {
    for (let at = 0; at < cases(600); at++) {
      const random = randomOf(seedOf(at))
      const { schema } = describedOf(random)
      const { value, marks } = marked(random)
      const text = mangled({ ...documents[at % documents.length]!.value, more: value }, random)
      const result = parse(text, documents[at % documents.length]!.schema)
      expect(saysAll(result, marks), `${at}: ${text}`).toBe(true)
      expect(saysAll(parse(text, schema), marks), `${at}: ${text}`).toBe(true)
    }
  })
})

describe("prose", () => {
  const sentences = [
    "I would stay in Bergen.",
    "The answer is: it depends, on {place} and [time].",
    "city: Oslo\ndays: 3",
    "- title: Oslo\n- note: none",
    "Title = Oslo; note = none",
    'He said "title": that\'s the word, "note" the other.',
    "Use f(title: String) { return note } there.",
    "See [1], [2] and {3}.",
    "a -> b, c => d",
    "| title | note |\n|---|---|\n| Oslo | none |",
    "title，note：Oslo",
    "&lt;title&gt; and &quot;note&quot;",
    "> quoted words\n> [1]",
    "\\{not this\\}",
    'It is {"unclear',
  ]
  const schema = {
    type: "object",
    properties: { title: { type: "string" }, note: { type: "string" } },
    required: ["title"],
  }
  it.each(sentences)("is not read as an object: %s", (text) => {
    expect(parse(text, schema).ok).toBe(false)
    expect(parse(`${text}\n${sentences[0]}`, schema).ok).toBe(false)
  })
})
