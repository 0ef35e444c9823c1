/** The validator `promises`: standard phrases in both languages, negations, and phrases of the author. */
import { validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import { of, places, validated } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

const made: ReadonlyArray<readonly [text: string, topic: string]> = [
  ["We guarantee you a 10 % return.", "returns"],
  ["Te garantizamos un rendimiento del 10 %.", "returns"],
  ["It is a risk-free investment", "returns"],
  ["Your loan approval is guaranteed", "approval"],
  ["Aprobación garantizada para todos", "approval"],
  ["Guaranteed to arrive within minutes", "arrival"],
  ["Garantizamos que llegará hoy", "arrival"],
  ["We guarantee the best rate", "rate"],
]

const notMade: ReadonlyArray<string> = [
  "We cannot guarantee a return.",
  "No garantizamos ningún rendimiento.",
  "Rates change, and arrival usually takes minutes.",
  "The guarantee of your phone. Returns are free for 30 days.",
  "Sin garantía de aprobación.",
]

validatorSuite({ describe, it }, of("promises"), [
  { name: "blocks a promise", text: made[0]![0], verdict: "block" },
  { name: "flags a promise", text: made[1]![0], with: { action: "flag" }, verdict: "flag" },
  { name: "passes a text without promises", text: notMade[2]!, verdict: "pass" },
  {
    name: "passes topics that it does not search",
    text: made[0]![0],
    with: { topics: ["legal"] },
    verdict: "pass",
  },
  {
    name: "blocks a phrase of the author",
    text: "Envíalo YA mismo y gana un premio",
    with: { topics: ["legal"], phrases: { es: ["gana un premio|regalo"] } },
    verdict: "block",
  },
])

describe("promises", () => {
  it.each(made)("made in %j", (text, topic) => {
    assert.deepStrictEqual(validated("promises", text).issues, [topic])
  })

  it.each(notMade)("not made in %j", (text) => {
    assert.deepStrictEqual(places("promises", text), [])
  })

  it("are searched in linear time", () => {
    for (const text of longTexts("guarantee ", "guarantee a ", "no ")) {
      assert.strictEqual(validated("promises", text).verdict, "pass")
    }
  })

  it("are the same in a streamed text", () => {
    const fragments = [
      "We ",
      "guarantee ",
      "cannot ",
      "you ",
      "returns",
      "best ",
      "rate",
      "no risk of ",
      "loss",
      ", ",
    ]
    assert.isNull(streamedOtherwise(of("promises"), {}, fragments))
  })
})
