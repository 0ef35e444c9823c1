import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fitSections } from "./fitSections.ts"
import { estimate, type TokenCounter } from "./tokens/tokens.ts"

const section = (id: string, text: string, more: { stable?: boolean; source?: string } = {}) => ({
  id,
  text,
  source: `${id}.md`,
  stable: true,
  tokens: 0,
  ...more,
})

/** A token for each word. */
const words: TokenCounter = {
  exact: true,
  count: (text) => text.split(/\s+/).filter((one) => one !== "").length,
}

const text = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(" ")

describe("the sections of a prompt that is too long", () => {
  it("are shortened in the given order, not in that of the prompt", () => {
    const given = [
      section("profile", text(10)),
      section("rules", text(5)),
      section("history", text(10)),
    ]
    const { cuts, sections, tokens } = fitSections(given, ["history", "profile"], 12, words)
    assert.deepStrictEqual(cuts, [
      { section: "history", from: 10, to: 0 },
      { section: "profile", from: 10, to: 7 },
    ])
    assert.deepStrictEqual(
      sections.map(({ id, text: left }) => [id, left]),
      [
        ["profile", `${text(6)} …`],
        ["rules", text(5)],
      ],
    )
    assert.strictEqual(tokens, 12)
  })

  it("stay as they are if the prompt fits", () => {
    const given = [section("a", text(3))]
    const fitted = fitSections(given, ["a"], 3, words)
    assert.strictEqual(fitted.sections, given)
    assert.deepStrictEqual(fitted.cuts, [])
  })

  it("are still too long if those that may be shortened do not make up for it", () => {
    const given = [section("a", text(3)), section("b", text(9))]
    assert.strictEqual(fitSections(given, ["a"], 8, words).tokens, 9)
  })

  it("of the stage kind are neither counted nor shortened", () => {
    const given = [section("a", text(5), { source: "kind:chat" }), section("a", text(4))]
    const { sections } = fitSections(given, ["a"], 3, words)
    assert.deepStrictEqual(
      sections.map((one) => one.text),
      [text(5), `${text(2)} …`],
    )
  })

  it("are not cached where another section decides how much is left of them", () => {
    const rules = section("rules", text(9))
    const changing = section("profile", text(3), { stable: false })
    const stable = (given: ReadonlyArray<typeof rules>) =>
      fitSections(given, ["rules"], 8, words).sections.map((one) => one.stable)
    assert.deepStrictEqual(stable([rules, changing]), [false, false])
    assert.deepStrictEqual(stable([rules, section("profile", text(3))]), [true, true])
  })

  it("end with a whole word, in scripts without spaces too", () => {
    const last = (given: string, limit: number) =>
      fitSections([section("a", given)], ["a"], limit, estimate).sections[0]?.text
    assert.strictEqual(last("see https://example.org/a/b?c=d then", 4), "see …")
    assert.strictEqual(last("我喜欢编程语言", 4), "我 …")
    assert.isUndefined(last("indivisible_identifier", 4))
  })

  it("never exceed the limit, and their rest is a beginning of each that ends at a word", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })
    const body = fc.array(word, { maxLength: 20 }).map((some) => some.join(" ").trim())
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (bodies, limit) => {
          const given = bodies.map((one, at) => section(`s${at}`, one))
          const order = given.map(({ id }) => id).toReversed()
          const { cuts, sections, tokens } = fitSections(given, order, limit, estimate)
          assert.isAtMost(tokens, limit)
          assert.strictEqual(
            sections.reduce((sum, one) => sum + estimate.count(one.text), 0),
            tokens,
          )
          for (const { section: id, to } of cuts) {
            const left = sections.find((one) => one.id === id)
            if (to === 0) assert.isUndefined(left)
            else {
              const whole = given.find((one) => one.id === id)!.text
              assert.isTrue(whole.startsWith(left!.text.replace(/ …$/, "")))
            }
          }
        },
      ),
    )
  })
})
