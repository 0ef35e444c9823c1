/** Options of validators that cannot act: each is reported when a workflow is checked. */
import type { JsonObject, Known, ReviewerFacts } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { eld } from "eld/small"
import { assert, describe, it } from "vitest"
import plugin from "../src/index.ts"
import { LANGUAGES } from "../src/validators/language.ts"

const known: Known = {
  has: () => false,
  schemaOf: () => undefined,
  reviewer: () => undefined,
  files: () => [],
}

const reviewers: ReadonlyArray<Pick<ReviewerFacts, "check" | "id" | "input">> = [
  ...plugin.components!.validators!,
  ...plugin.components!.subagents!,
]

/** Locations of the options that do not fit the schema, else codes of the problems that the reviewer finds. */
const problems = (id: string, options: JsonObject): ReadonlyArray<string> => {
  const { check, input } = reviewers.find((one) => one.id === id)!
  const unfit = validatorOf(input!)(options).map(({ path }) => path)
  return unfit.length > 0 ? unfit : (check?.(options, known) ?? []).map(({ code }) => code)
}

const phrases = (phrase: string) => ({ phrases: { en: [phrase] } })

const wrong: ReadonlyArray<readonly [id: string, options: JsonObject, problem: string]> = [
  ["secrets", { patterns: [{ name: "x", pattern: "(" }] }, "/patterns/0/pattern"],
  ["secrets", { patterns: [{ name: "x", pattern: "a(?=b)" }] }, "/patterns/0/pattern"],
  ["pii", { country: "XX" }, "PII001"],
  ["pii", { country: ["MX", "UK"] }, "PII001"],
  ["length", {}, "LENGTH001"],
  ["length", { min: { words: 9 }, max: { words: 5 } }, "LENGTH002"],
  ["readability", { language: "es", max_grade: 8 }, "READABILITY001"],
  ["language", { expected: "xx" }, "/expected"],
  ["promises", { topics: [] }, "/topics"],
  ["promises", phrases("... profit"), "/phrases/en/0"],
  ["promises", phrases("profit ..."), "/phrases/en/0"],
  ["promises", phrases("sure||certain"), "/phrases/en/0"],
  ["promises", phrases("¡!"), "/phrases/en/0"],
  ["promises", phrases("a b c d e f g h i j k l m"), "/phrases/en/0"],
]

describe("options of validators", () => {
  it.each(wrong)("of %s that cannot act: %j", (id, options, problem) => {
    assert.include(problems(id, options), problem)
  })

  it.each([
    ["secrets", { patterns: [{ name: "x", pattern: "(a+)+$" }] }],
    ["pii", { country: ["MX", "US"] }],
    ["length", { max: { words: 5 } }],
    ["readability", { max_grade: 8 }],
    ["language", { expected: ["en", "es"] }],
    ["promises", phrases("guarant* ... profit|gain for you")],
    ["promises", phrases("you can't lose")],
  ] as const)("of %s that act: %j", (id, options) => {
    assert.deepStrictEqual(problems(id, options), [])
  })

  it("name the languages that the tables distinguish", () => {
    assert.sameMembers([...LANGUAGES], Object.values(eld.info().Languages))
  })
})
