/** The validators `language`, `length` and `readability`: the form of a text. */
import { subagentSuite, validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import plugin from "../src/index.ts"
import { of, validated } from "./of.ts"

const runner = { describe, it }
const english = "Your transfer is on its way and arrives tomorrow morning."
const spanish = "Tu envío está en camino y llega mañana por la mañana."

const [language] = plugin.components!.subagents!
subagentSuite(runner, language!, [
  {
    name: "passes the expected language",
    draft: { text: english },
    with: { expected: "en" },
    verdict: "pass",
  },
  {
    name: "passes one of several languages",
    draft: { text: spanish },
    with: { expected: ["en", "es"] },
    verdict: "pass",
  },
  {
    name: "flags another language",
    draft: { text: spanish },
    with: { expected: "en" },
    verdict: "flag",
  },
  {
    name: "blocks another language",
    draft: { text: english },
    with: { expected: "es", action: "block" },
    verdict: "block",
  },
  {
    name: "passes a text too short to know",
    draft: { text: "Sí, claro." },
    with: { expected: "en" },
    verdict: "pass",
  },
  {
    name: "passes links and code",
    draft: { text: "`const envio = cuanto` https://ejemplo.es/envio-de-dinero" },
    with: { expected: "en" },
    verdict: "pass",
  },
])

validatorSuite(runner, of("length"), [
  { name: "passes any length without bounds", text: english, verdict: "pass" },
  { name: "flags too many words", text: english, with: { max: { words: 9 } }, verdict: "flag" },
  {
    name: "passes as many words as it may have",
    text: english,
    with: { max: { words: 10 } },
    verdict: "pass",
  },
  {
    name: "blocks too few characters",
    text: "Ok",
    with: { min: { characters: 3 }, action: "block" },
    verdict: "block",
  },
  {
    name: "flags too many sentences",
    text: "One. Two! Three?",
    with: { max: { sentences: 2 } },
    verdict: "flag",
  },
])

// From the public domain: the King James Bible, and the opening of Kant's Critique in Meiklejohn's translation.
const plain =
  "In the beginning God created the heaven and the earth. And the earth was without form, and void. And God said, Let there be light: and there was light. And God saw the light, that it was good."
const hard =
  "Human reason, in one sphere of its cognition, is called upon to consider questions, which it cannot decline, as they are presented by its own nature, but which it cannot answer, as they transcend every faculty of the mind."

validatorSuite(runner, of("readability"), [
  { name: "passes plain English", text: plain, verdict: "pass" },
  { name: "flags hard English", text: hard, with: { min_ease: 60 }, verdict: "flag" },
  {
    name: "flags a school grade above the highest",
    text: hard,
    with: { max_grade: 8 },
    verdict: "flag",
  },
  {
    name: "passes a text that is too short",
    text: "Extraordinarily incomprehensible.",
    verdict: "pass",
  },
  {
    name: "passes plain Spanish",
    text: `${spanish} ${spanish} ${spanish}`,
    with: { language: "es" },
    verdict: "pass",
  },
])

describe("the reading ease", () => {
  it("is that of the published formulas", () => {
    // 12 words, 2 sentences, 12 syllables.
    const text = "The cat sat on the mat. The dog ran to the barn."
    const { reason } = validated("readability", text, { min_words: 1 })
    assert.strictEqual(
      reason,
      `the text has a reading ease of ${(206.835 - 1.015 * 6 - 84.6).toFixed(0)}`,
    )
  })

  it("counts Spanish syllables with hiatus and silent u", () => {
    // que-ría-po-e-ta-quie-re: 3 words of 3, 3 and 2 syllables.
    const { reason } = validated("readability", "Quería poeta quiere.", {
      language: "es",
      min_words: 1,
      min_ease: 0,
    })
    assert.strictEqual(
      reason,
      `the text has a reading ease of ${(206.84 - 1.02 * 3 - (60 * 8) / 3).toFixed(0)}`,
    )
  })
})
