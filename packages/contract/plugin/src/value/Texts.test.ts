import { assert, describe, it } from "@effect/vitest"
import {
  argumentsText,
  engineTexts,
  labelOfParam,
  languageOf,
  placeholdersIn,
  placeholdersOf,
  textGiver,
  textsIn,
  titleOfTool,
  wordingIn,
} from "./Texts.ts"

const texts = {
  greeting: { es: "Hola, {name}", en: "Hello, {name}" },
  escalate: { "es-MX": "Un momento." },
}

describe("textGiver", () => {
  it("gives the text in the user's language, also for a region of it", () => {
    for (const [language, said] of [
      ["en", "Hello, Bo"],
      ["EN-gb", "Hello, Bo"],
      ["es-MX", "Hola, Bo"],
      ["es_AR", "Hola, Bo"],
    ] as const) {
      assert.strictEqual(textGiver(texts, language)("greeting", { values: { name: "Bo" } }), said)
    }
  })

  it("gives a user of another language, or of none, the first text that the author wrote", () => {
    for (const language of ["fr", undefined]) {
      assert.strictEqual(textGiver(texts, language)("greeting"), "Hola, {name}")
      assert.strictEqual(textGiver(texts, language)("escalate"), "Un momento.")
    }
  })

  it("prefers the engine's text in the user's language to the author's in another", () => {
    assert.strictEqual(textGiver(texts, "en")("escalate"), engineTexts.escalate.en)
    assert.strictEqual(textGiver(texts, "es")("escalate"), "Un momento.")
  })

  it("uses a language that the component names in place of the user's", () => {
    const text = textGiver(texts, "es")
    assert.strictEqual(text("clarify", { language: "en" }), engineTexts.clarify.en)
  })

  it("throws for a name that neither the engine nor the workflow has", () => {
    assert.throws(() => textGiver(texts, "en")("goodbye"), /there is no text "goodbye"/)
    assert.throws(() => textGiver({}, "en")("toString"), TypeError)
  })

  it("inserts values as they are", () => {
    const values = { question: "$& {question}" }
    assert.strictEqual(
      textGiver({}, "en")("expired", { values }),
      "no answer in time: $& {question}",
    )
  })
})

describe("the engine's texts", () => {
  it("have the same placeholders in every language", () => {
    for (const [name, translations] of Object.entries(engineTexts)) {
      for (const text of Object.values(translations)) {
        assert.sameMembers([...placeholdersIn(text)], [...placeholdersIn(translations.en)], name)
        assert.includeMembers([...placeholdersOf(name)!], [...placeholdersIn(text)], name)
      }
    }
  })

  it("are all readable beside those of the workflow", () => {
    const read = textsIn(texts, "es")
    assert.strictEqual(read["clarify"], engineTexts.clarify.es)
    assert.strictEqual(read["greeting"], "Hola, {name}")
  })
})

describe("languageOf", () => {
  it("ignores a language that is not a text", () => {
    assert.strictEqual(languageOf({ language: "es" }), "es")
    assert.isUndefined(languageOf({ language: 7 }))
    assert.isUndefined(languageOf({}))
  })
})

describe("a text for end users outside of texts", () => {
  const tool = {
    name: "create_transfer",
    title: { en: "Send money", es: "Enviar dinero" },
    labels: { quote: { en: "quote", es: "cotización" }, to: "TO" },
  }

  it("is one for all, or the one of the language, or the first", () => {
    assert.strictEqual(wordingIn("Hi", "es"), "Hi")
    assert.strictEqual(wordingIn(tool.title, "es-MX"), "Enviar dinero")
    for (const language of ["fr", undefined]) {
      assert.strictEqual(wordingIn(tool.title, language), "Send money")
    }
  })

  it("names tools and params by title and label, else by their names as words", () => {
    assert.strictEqual(titleOfTool(tool, "es"), "Enviar dinero")
    assert.strictEqual(titleOfTool({ name: "create_transfer" }, "es"), "create transfer")
    assert.strictEqual(labelOfParam(tool, "quote", "es"), "cotización")
    assert.strictEqual(labelOfParam(tool, "monthly_limit", "es"), "monthly limit")
    assert.strictEqual(labelOfParam({}, "toString", "es"), "toString")
    const params = { quote: "Q-1", to: "Rosa", amount: 5 }
    assert.strictEqual(argumentsText(tool, params, "es"), "cotización Q-1, TO Rosa, amount 5")
  })
})
