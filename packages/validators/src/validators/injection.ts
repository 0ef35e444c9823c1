/** The validator `injection`: requests that try to replace the instructions of a model. */
import { validator } from "@planloom/plugin/effect"
import { findingOf, phraseFinder, phraseSchema, type PhraseFinder } from "@planloom/review-kit"
import { INJECTED_MARKS, injectionPhrases } from "../phrases/injectionPhrases.ts"

interface Options {
  readonly phrases?: ReadonlyArray<string>
}

export const injection = validator<Options>({
  id: "injection",
  summary: "Flags requests that try to replace the instructions of a model.",
  class: "safety",
  // Patterns miss most attacks and hit some harmless requests: enough for a report, too little for a block.
  can: ["pass", "flag"],
  at: "input",
  input: {
    type: "object",
    properties: {
      phrases: {
        type: "array",
        items: phraseSchema,
        description:
          "Further phrases. `ignor*` is the start of a word, `rules|orders` are alternatives, `...` is up to three words.",
      },
    },
    additionalProperties: false,
  },
  validate: (text, { phrases = [] }) => {
    const plain = text.replaceAll(/[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/g, " ")
    const marks = [...plain.matchAll(INJECTED_MARKS)].map(({ 0: mark, index }) => ({
      start: index,
      end: index + mark.length,
      what: "marks of a message",
    }))
    const { finder, kindOf } = finderOf(phrases)
    const found = finder
      .find(plain)
      .map(({ end, phrase, start }) => ({ start, end, what: kindOf.get(phrase) ?? "phrase" }))
    const finding = findingOf(
      [...found, ...marks],
      "signs of an attack on the instructions",
      "flag",
    )
    return finding.verdict === "pass" ? finding : { ...finding, confidence: 0.7 }
  },
})

interface Finder {
  readonly finder: PhraseFinder
  readonly kindOf: ReadonlyMap<string, string>
}

const finders = new Map<string, Finder>()

const finderOf = (own: ReadonlyArray<string>): Finder => {
  const key = JSON.stringify(own)
  let finder = finders.get(key)
  if (finder === undefined) {
    const kindOf = new Map<string, string>([
      ...Object.entries(injectionPhrases).flatMap(([kind, phrases]) =>
        phrases.map((one) => [one, kind] as const),
      ),
      ...own.map((one) => [one, "phrase"] as const),
    ])
    finder = { kindOf, finder: phraseFinder([...kindOf.keys()]) }
    finders.set(key, finder)
  }
  return finder
}
