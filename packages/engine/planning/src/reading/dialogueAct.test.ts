import { assert, describe, it } from "vitest"
import { clausesOf, dialogueAct, withoutAmends, withoutInterjections } from "./dialogueAct.ts"
import { english } from "./words/english.ts"
import { spanish } from "./words/spanish.ts"

describe("dialogueAct", () => {
  it.each([
    ["Yes, please!", "affirm"],
    ["ok", "affirm"],
    ["no thanks", "refuse"],
    ["Never mind.", "refuse"],
    ["ok, go on", "resume"],
    ["ok, stop", "refuse"],
    ["thank you so much", "thank"],
    ["good evening!", "greet"],
    ["yes, send it", undefined],
    ["cancel my transfer", undefined],
    ["please", undefined],
    ["", undefined],
  ] as const)("reads %j as %s", (text, act) => {
    assert.strictEqual(dialogueAct(text, english), act)
  })

  it.each([
    ["¡Hola!", "greet"],
    ["claro que sí", "affirm"],
    ["no, gracias", "refuse"],
    ["sigamos por favor", "resume"],
    ["muchas gracias", "thank"],
    ["cancela mi envío", undefined],
  ] as const)("reads %j as %s in Spanish", (text, act) => {
    assert.strictEqual(dialogueAct(text, spanish), act)
  })
})

describe("withoutInterjections", () => {
  it("drops words before a comma that only lead in", () => {
    assert.strictEqual(withoutInterjections("Wait, by the way, my limit?", english), "my limit?")
    assert.strictEqual(withoutInterjections("espera… ¿mi límite?", spanish), "¿mi límite?")
  })

  it.each(["no, send it", "wait for Rosa", "banana, send it", "wait", "wait,"])(
    "keeps %j",
    (text) => {
      assert.strictEqual(withoutInterjections(text, english), text)
    },
  )
})

describe("withoutAmends", () => {
  it.each([
    ["no, 25", "25"],
    ["No wait, make it 25", "25"],
    ["nothing", "nothing"],
    ["actual size", "actual size"],
    ["no", ""],
  ])("drops the words of a correction from %j", (text, rest) => {
    assert.strictEqual(withoutAmends(text, english), rest)
  })

  it("does so in Spanish", () => {
    assert.strictEqual(withoutAmends("no, mejor 60", spanish), "60")
  })
})

describe("clausesOf", () => {
  it("splits at the words of the language that join wishes", () => {
    assert.deepStrictEqual(clausesOf("my limit and the rate, then stop", english), [
      "my limit",
      "the rate",
      "stop",
    ])
    assert.deepStrictEqual(clausesOf("mi límite y hay promociones", spanish), [
      "mi límite",
      "hay promociones",
    ])
    assert.deepStrictEqual(clausesOf("envía 5 a Yara", spanish), ["envía 5 a Yara"])
  })
})
