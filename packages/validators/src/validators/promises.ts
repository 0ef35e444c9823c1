/** The validator `promises`: promises that no answer may make. */
import { validator } from "@planloom/plugin/effect"
import {
  actionSchema,
  findingOf,
  LONGEST_PHRASE,
  phraseFinder,
  phraseSchema,
  type Action,
  type PhraseFinder,
} from "@planloom/review-kit"
import { negations, standardPromises, type PromiseTopic } from "../phrases/standardPromises.ts"

interface Options {
  readonly topics?: ReadonlyArray<PromiseTopic>
  readonly phrases?: { readonly [language: string]: ReadonlyArray<string> }
  readonly action?: Action
}

const topicNames = Object.keys(standardPromises) as ReadonlyArray<PromiseTopic>

export const promises = validator<Options>({
  id: "promises",
  summary: "Finds promises that no answer may make, such as guaranteed returns.",
  class: "compliance",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_PHRASE,
  input: {
    type: "object",
    properties: {
      topics: {
        type: "array",
        items: { enum: [...topicNames] },
        minItems: 1,
        description: "Topics of the standard phrases; all of them unless written.",
      },
      phrases: {
        type: "object",
        propertyNames: { pattern: "^[a-z]{2,3}$" },
        additionalProperties: { type: "array", items: phraseSchema },
        description:
          "Further phrases, by language. `guarant*` is the start of a word, `profit|gain` are alternatives, `...` is up to three words.",
      },
      action: actionSchema("block", "its topic, such as `[returns]`,"),
    },
    additionalProperties: false,
  },
  rules: [...topicNames, "promise"],
  validate: (text, options) => {
    const { finder, topicOf } = finderOf(options)
    const found = finder.find(text).map(({ end, phrase, start }) => {
      const topic = topicOf.get(phrase)!
      return { start, end, what: topic, rule: topic }
    })
    return findingOf(found, "forbidden promises", options.action ?? "block")
  },
  pending: (text, options) => finderOf(options).finder.pending(text),
  lookbehind: 0,
})

interface Finder {
  readonly finder: PhraseFinder
  readonly topicOf: ReadonlyMap<string, string>
}

const finders = new Map<string, Finder>()

const finderOf = ({ phrases = {}, topics = topicNames }: Options): Finder => {
  const key = JSON.stringify([phrases, topics])
  let finder = finders.get(key)
  if (finder === undefined) {
    const own = Object.values(phrases).flatMap((all) => all.map((one) => [one, "promise"] as const))
    const standard = topics.flatMap((topic) =>
      Object.values<ReadonlyArray<string>>(standardPromises[topic]).flatMap((all) =>
        all.map((one) => [one, topic] as const),
      ),
    )
    const topicOf = new Map<string, string>([...standard, ...own])
    finder = { topicOf, finder: phraseFinder([...topicOf.keys()], { negations }) }
    finders.set(key, finder)
  }
  return finder
}
