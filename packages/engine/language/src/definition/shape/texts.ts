/** The shape of `texts`: words to end users by name and language, with the placeholders that the engine fills. */
import { suggest } from "@planloom/expression/suggestion"
import { isObject } from "@planloom/schema"
import type { Texts, Wording } from "@planloom/plugin/effect"
import { placeholdersIn, placeholdersOf } from "@planloom/plugin/texts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { byType, record } from "./collections.ts"
import { text } from "./scalars.ts"

const languageTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

const translations = record(text("a text"), {
  names: "free",
  expected: "texts by language, such as { en: Hello., es: Hola. }",
})

/** A text for end users outside of `texts`. */
export const wording: Shape<Wording> = byType<Wording>(
  {
    string: text("a text"),
    mapping: {
      ...translations,
      decode: (value, context) => {
        const decoded = translations.decode(value, context)
        checkLanguages(Object.keys(decoded), context)
        return decoded
      },
    },
  },
  "a text, or texts by language such as { en: Send money, es: Enviar dinero }",
  "",
)

const checkLanguages = (languages: ReadonlyArray<string>, context: DecodeContext): void => {
  if (languages.length === 0)
    context.problem({ code: "PL0106", message: "there is a text in no language" })
  for (const language of languages) checkLanguage(language, context.at(language))
}

const written = record(translations)

export const texts: Shape<Texts> = {
  ...written,
  expected: "texts such as { escalate: { en: A person will take over. } }",
  decode: (value, context) => {
    const decoded = written.decode(value, context)
    for (const [name, byLanguage] of Object.entries(decoded)) {
      const place = context.at(name)
      // Any other value has a message of its own.
      const isMapping = isObject(value) && isObject(value[name])
      if (isMapping && Object.keys(byLanguage).length === 0) {
        place.problem({ code: "PL0106", message: `"${name}" has a text in no language` })
      }
      for (const [language, said] of Object.entries(byLanguage)) {
        checkText(name, language, said, place.at(language))
      }
    }
    return decoded
  },
}

const checkLanguage = (language: string, context: DecodeContext): void => {
  if (languageTag.test(language)) return
  context.problem({
    code: "PL0107",
    message: `"${language}" is not a language tag`,
    help: "such as: en, es, pt-BR",
    spot: "key",
  })
}

const checkText = (name: string, language: string, said: string, context: DecodeContext): void => {
  checkLanguage(language, context)
  if (said.includes("${{")) {
    context.problem({
      code: "PL0104",
      message: "a text of `texts` holds no expressions",
      help: `join them where it is read: texts.${name} + " " + user.name`,
    })
  }
  const known = placeholdersOf(name)
  const unknown =
    known === undefined ? [] : placeholdersIn(said).filter((one) => !known.includes(one))
  for (const placeholder of unknown) {
    const near = suggest(placeholder, known!)
    const listed =
      known!.length === 0
        ? `"${name}" has none`
        : `"${name}" has: ${known!.map((one) => `{${one}}`).join(", ")}`
    context.problem({
      code: "PL0104",
      message: `unknown placeholder {${placeholder}}`,
      help: near === undefined ? listed : `did you mean {${near}}? ${listed}`,
    })
  }
}
