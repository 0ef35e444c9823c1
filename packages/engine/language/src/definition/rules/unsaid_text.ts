/** PL2016: a text that is never said, because its name or its language is misspelled. */
import { suggest } from "@planloom/expression/suggestion"
import { engineTexts } from "@planloom/plugin/texts"
import type { Problem } from "../Problem.ts"
import { usedBy } from "@planloom/expression"
import type { Rule } from "./Rule.ts"

export const unsaidText: Rule = {
  code: "PL2016",
  slug: "unsaid_text",
  severity: "warning",
  title: "The text is never said",
  why: "Its name or its language is misspelled, so users read the words of the engine instead.",
  fix: "Write the name that the message suggests, or the code of the language (ISO 639-1).",
  wrong: "texts: { escalte: { en: A person will take over. } }",
  right: "texts: { escalate: { en: A person will take over. } }",
  check: ({ definition: { texts = {} }, examined }) => {
    const read = usedBy(examined.references, "texts")
    return Object.entries(texts).flatMap(([name, byLanguage]): ReadonlyArray<Problem> => {
      const isRead = Object.hasOwn(engineTexts, name) || read === "all" || read.has(name)
      const near = isRead ? undefined : suggest(name, Object.keys(engineTexts))
      return [
        // Plugins say texts of names of their own.
        ...(near === undefined
          ? []
          : [
              {
                ...warning,
                message: `nothing says the text "${name}"`,
                path: ["texts", name],
                help: `did you mean ${near}?`,
              },
            ]),
        ...Object.keys(byLanguage)
          .filter((language) => !isLanguage(language))
          .map((language) => ({
            ...warning,
            message: `no language has the code "${language}"`,
            path: ["texts", name, language],
            help: "such as: en, es, ja",
          })),
      ]
    })
  },
}

const warning = { code: "PL2016", severity: "warning", spot: "key" } as const

/** Codes of two letters are all known; longer ones are too many for a list. */
const isLanguage = (tag: string): boolean => {
  const [code = ""] = tag.split("-")
  if (code.length !== 2) return true
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
  return names.of(code) !== undefined
}
