/** The engine's own words to end users: names, placeholders, defaults per language, and the choice of a language. */
import type { JsonObject } from "./Json.ts"

/** One text by language tag (BCP 47), in the author's order. */
export interface Translations {
  readonly [language: string]: string
}

/** A text for people: one for every language, or one by language. */
export type Wording = string | Translations

/** The section `texts` of a workflow, by name. */
export interface Texts {
  readonly [name: string]: Translations
}

export interface TextOptions {
  /** In place of the user's language. */
  readonly language?: string
  /** What stands for `{name}` in the text. */
  readonly values?: { readonly [placeholder: string]: string }
}

/** Gives the text of a name in the user's language; throws TypeError for a name that neither engine nor workflow has. */
export type GiveText = (name: string, options?: TextOptions) => string

/** What the engine says where the workflow has no text of its own. */
export const engineTexts = {
  escalate: {
    en: "A person will take over.",
    es: "Le atenderá una persona.",
  },
  clarify: {
    en: "What exactly do you want? Please say more.",
    es: "¿Qué desea exactamente? Por favor, dígame algo más.",
  },
  empty_plan: {
    en: "I do not know what to look up for that. What exactly are you looking for?",
    es: "No sé qué consultar para eso. ¿Qué busca exactamente?",
  },
  choose: {
    en: "Which of these do you mean: {choices}?",
    es: "¿A cuál de estas opciones se refiere: {choices}?",
  },
  ask_value: {
    en: "{tool}: which {value}?",
    es: "{tool}: ¿qué {value}?",
  },
  confirm: {
    en: "{tool}: is that right?",
    es: "{tool}: ¿es correcto?",
  },
  not_understood: {
    en: "I did not understand {words}. Nothing was done.",
    es: "No entendí {words}. No se hizo nada.",
  },
  abilities: {
    en: "I did not understand that. I can help with: {choices}.",
    es: "No entendí eso. Puedo ayudar con: {choices}.",
  },
  expired: {
    en: "no answer in time: {question}",
    es: "no hubo respuesta a tiempo: {question}",
  },
  unavailable: {
    en: "This is not available at the moment. Please try again later.",
    es: "Esto no está disponible en este momento. Inténtelo más tarde, por favor.",
  },
  approve: {
    en: "{tool}: do you approve?",
    es: "{tool}: ¿lo aprueba?",
  },
  unasked: {
    en: '"{tool}" changes something, and the request does not ask for it in so many words',
    es: '"{tool}" cambia algo, y la solicitud no lo pide de forma expresa',
  },
  unsettled: {
    en: '"{tool}" changes something, and these words were not understood: {words}',
    es: '"{tool}" cambia algo, y no se entendieron estas palabras: {words}',
  },
  acknowledged: {
    en: "You are welcome. What else can I do?",
    es: "Con gusto. ¿Qué más puedo hacer?",
  },
  nothing_open: {
    en: "There is nothing to confirm or continue. I can help with: {choices}.",
    es: "No hay nada que confirmar o continuar. Puedo ayudar con: {choices}.",
  },
  missing: {
    en: "This is missing: {values}. Nothing was done.",
    es: "Falta esto: {values}. No se hizo nada.",
  },
  invalid: {
    en: "That is not possible with this value: {values}. Nothing was done.",
    es: "No es posible con este valor: {values}. No se hizo nada.",
  },
  declined: {
    en: "All right, nothing was done.",
    es: "De acuerdo, no se hizo nada.",
  },
  late: {
    en: "{tool}: no answer in time. Please check whether it was done before you try again.",
    es: "{tool}: no hubo respuesta a tiempo. Compruebe si se hizo antes de intentarlo otra vez.",
  },
  done: {
    en: "{tool} ran.",
    es: "{tool}: hecho.",
  },
  failed: {
    en: "That did not work: {reason}.",
    es: "No funcionó: {reason}.",
  },
  left: {
    en: "Still to do: {tools}.",
    es: "Queda por hacer: {tools}.",
  },
  nothing_found: {
    en: "I found nothing about this in the documents.",
    es: "No encontré nada sobre esto en los documentos.",
  },
  no_word: {
    en: "No document has {words}.",
    es: "Ningún documento tiene {words}.",
  },
  quoted: {
    en: "The documents say:",
    es: "Los documentos dicen:",
  },
  sources: {
    en: "Sources:",
    es: "Fuentes:",
  },
  unread: {
    en: "Not read: {files}.",
    es: "Sin leer: {files}.",
  },
  partly_read: {
    en: "Read in part: {files}.",
    es: "Leído en parte: {files}.",
  },
  thinking_extend: {
    en: "I am looking further into what I found.",
    es: "Voy a mirar más a fondo lo que encontré.",
  },
  thinking_relax: {
    en: "I am broadening the search.",
    es: "Voy a ampliar la búsqueda.",
  },
  thinking_relax_again: {
    en: "I am searching even more broadly.",
    es: "Busco de forma aún más amplia.",
  },
  thinking_rewrite: {
    en: "I am trying other words.",
    es: "Voy a probar con otras palabras.",
  },
  thinking_pivot: {
    en: "I am looking in another place.",
    es: "Voy a buscar en otro lugar.",
  },
} as const satisfies Texts

/** Placeholders that the engine fills besides those of its own text. */
const morePlaceholders: { readonly [name: string]: ReadonlyArray<string> } = {
  approve: ["stage", "values"],
}

/** Placeholders that the engine fills in a text; undefined for a name that is not the engine's. */
export const placeholdersOf = (name: string): ReadonlyArray<string> | undefined =>
  Object.hasOwn(engineTexts, name)
    ? [
        ...placeholdersIn(engineTexts[name as keyof typeof engineTexts].en),
        ...(morePlaceholders[name] ?? []),
      ]
    : undefined

/** Names in braces, in order. */
export const placeholdersIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(placeholder), ([, name]) => name!)

const placeholder = /\{([a-z][a-z0-9_]*)\}/g

/** The text of each name, the engine's among them, as written. */
export const textsIn = (
  texts: Texts,
  language: string | undefined,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    [...new Set([...Object.keys(engineTexts), ...Object.keys(texts)])].map((name) => [
      name,
      writtenText(texts, name, language)!,
    ]),
  )

/** Reads texts of a workflow for users of a language; undefined for users without one. */
export const textGiver =
  (texts: Texts, userLanguage: string | undefined): GiveText =>
  (name, { language = userLanguage, values = {} } = {}) => {
    const text = writtenText(texts, name, language)
    if (text === undefined) {
      throw new TypeError(`there is no text "${name}"; declare it under texts: { ${name}: … }`)
    }
    return text.replace(placeholder, (whole, key: string) =>
      Object.hasOwn(values, key) ? values[key]! : whole,
    )
  }

/** The language of a user; undefined unless its `language` is a text. */
export const languageOf = (user: { readonly [key: string]: unknown }): string | undefined => {
  const { language } = user
  return typeof language === "string" && language !== "" ? language : undefined
}

/** The author's text goes before the engine's; without one in the language, the author's first. */
const writtenText = (
  texts: Texts,
  name: string,
  language: string | undefined,
): string | undefined => {
  const own = Object.hasOwn(texts, name) ? texts[name] : undefined
  const given: Translations | undefined = Object.hasOwn(engineTexts, name)
    ? engineTexts[name as keyof typeof engineTexts]
    : undefined
  const sources = [own, given].filter((one) => one !== undefined)
  const matching =
    language === undefined ? [] : sources.flatMap((one) => inLanguage(one, language) ?? [])
  return matching[0] ?? sources.flatMap((one) => Object.values(one))[0]
}

/** `es-MX` is also served by `es`, and by a text in any other Spanish. */
const inLanguage = (translations: Translations, language: string): string | undefined => {
  const tags = Object.keys(translations)
  const parts = language.toLowerCase().split(/[-_]/)
  for (let length = parts.length; length > 0; length--) {
    const wanted = parts.slice(0, length).join("-")
    const tag = tags.find((one) => one.toLowerCase() === wanted)
    if (tag !== undefined) return translations[tag]
  }
  const near = tags.find((one) => one.toLowerCase().split("-")[0] === parts[0])
  return near === undefined ? undefined : translations[near]
}

/** The text for readers of a language; without one, the author's first. */
export const wordingIn = (wording: Wording, language: string | undefined): string =>
  typeof wording === "string"
    ? wording
    : ((language === undefined ? undefined : inLanguage(wording, language)) ??
      Object.values(wording)[0] ??
      "")

const asWords = (name: string): string => name.replaceAll("_", " ")

/** The part of a tool that names it for people. */
interface Titled {
  readonly name: string
  readonly title?: Wording
}

interface Labelled {
  readonly labels?: { readonly [param: string]: Wording }
}

/** A tool as people read it: its title, else its name as words. */
export const titleOfTool = ({ name, title }: Titled, language: string | undefined): string =>
  title === undefined ? asWords(name) : wordingIn(title, language)

/** Arguments as people read them: `amount 200, currency MXN`. */
export const argumentsText = (
  tool: Labelled,
  params: JsonObject,
  language: string | undefined,
): string =>
  Object.entries(params)
    .map(
      ([name, value]) =>
        `${labelOfParam(tool, name, language)} ${typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .join(", ")

/** A param as people read it: its label, else its name as words. */
export const labelOfParam = (
  { labels = {} }: Labelled,
  param: string,
  language: string | undefined,
): string => (Object.hasOwn(labels, param) ? wordingIn(labels[param]!, language) : asWords(param))
