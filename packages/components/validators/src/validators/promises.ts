/** The validator `promises`: promises that no answer may make. */
import { validator } from "@planloom/plugin/effect"
import {
  actionSchema,
  findingOf,
  phraseFinder,
  phraseSchema,
  type Action,
  type Found,
} from "@planloom/review-kit"
import { promiseTopics, type PromiseTopic } from "../promises/Lexicon.ts"
import { promiseFinder } from "../promises/promiseFinder.ts"
import { LONGEST_OPEN, sentencesOf } from "../promises/sentencesOf.ts"
import words from "../promises/words.json" with { type: "json" }

interface Options {
  readonly topics?: ReadonlyArray<PromiseTopic>
  readonly phrases?: { readonly [language: string]: ReadonlyArray<string> }
  readonly action?: Action
}

export const promises = validator<Options>({
  id: "promises",
  summary: "Finds promises that no answer may make, such as guaranteed returns.",
  class: "compliance",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_OPEN,
  input: {
    type: "object",
    properties: {
      topics: {
        type: "array",
        items: { enum: [...promiseTopics] },
        minItems: 1,
        description: "Topics of promises that it finds; all of them unless written.",
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
  rules: [...promiseTopics, "promise"],
  validate: (text, options, { part }) => {
    const find = finderOf(options)
    const { complete, open } = sentencesOf(text)
    // The end of a sentence can excuse it, and `pending` holds an unfinished one back.
    const sentences = part.last ? [...complete, { start: open, end: text.length }] : complete
    const found = sentences.flatMap(({ end, start }) =>
      find(text.slice(start, end)).map((one) => ({
        ...one,
        rule: one.what,
        start: start + one.start,
        end: start + one.end,
      })),
    )
    return findingOf(found, "forbidden promises", options.action ?? "block")
  },
  pending: (text) => sentencesOf(text).open,
  lookbehind: 0,
})

/** What it finds in a sentence. */
type Finder = (sentence: string) => ReadonlyArray<Found>

const finders = new Map<string, Finder>()

const finderOf = ({ phrases = {}, topics = promiseTopics }: Options): Finder => {
  const key = JSON.stringify([phrases, topics])
  let finder = finders.get(key)
  if (finder === undefined) {
    finder = makeFinder(topics, Object.values(phrases).flat())
    finders.set(key, finder)
  }
  return finder
}

const makeFinder = (
  topics: ReadonlyArray<PromiseTopic>,
  phrases: ReadonlyArray<string>,
): Finder => {
  const findPromise = promiseFinder(topics)
  const own = phraseFinder(phrases, { negations: Object.values(words.negations).flat() })
  return (sentence) => {
    const promise = findPromise(sentence)
    const found: ReadonlyArray<Found> =
      promise === undefined ? [] : [{ ...promise, what: promise.topic }]
    if (phrases.length === 0) return found
    const others = own
      .find(sentence)
      .filter(({ end, start }) => found.every((one) => end <= one.start || start >= one.end))
      .map(({ end, start }) => ({ start, end, what: "promise" }))
    return [...found, ...others].toSorted((one, other) => one.start - other.start)
  }
}
