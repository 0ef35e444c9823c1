/** File kind `Vocabulary`: schema, and the check that each word has one meaning of a kind. */
import * as Effect from "effect/Effect"
import { fileKind } from "@planloom/plugin/effect"
import type { Problem, ValuePath } from "@planloom/plugin/effect"
import { vocabularySchema } from "./Vocabulary.ts"
import type { VocabularyFile } from "./Vocabulary.ts"

/** One word with its meaning and position. */
interface Entry {
  readonly word: string
  readonly meaning: string
  readonly at: ValuePath
}

export const vocabularyKind = fileKind<VocabularyFile>({
  kind: "Vocabulary",
  summary: "The words people ask about tables with.",
  schema: {
    ...vocabularySchema,
    properties: {
      name: { type: "string", format: "name", description: "The vocabulary's name." },
      description: { type: "string", description: "For people." },
      base: {
        enum: ["english", "none"],
        description:
          "The words these are added to: english (the general words), or none when they are the whole vocabulary.",
      },
      ...vocabularySchema.properties,
    },
  },
  check: (file) => Effect.sync(() => groupsOf(file).flatMap(duplicates)),
})

/** Groups of entries; within a group each word may occur once. */
const groupsOf = (file: VocabularyFile): ReadonlyArray<ReadonlyArray<Entry>> => [
  ...(file.synonyms ?? []).map((words, index) => entries(words, "", ["synonyms", index])),
  ...(["negations", "rows", "silent"] as const).map((key) => entries(file[key], "", [key])),
  ...(["analysis", "grains", "outputs", "charts"] as const).map((key) =>
    Object.entries(file[key] ?? {}).flatMap(([meaning, words]) =>
      entries(words, meaning, [key, meaning]),
    ),
  ),
  (["most", "least"] as const).flatMap((key) =>
    Object.keys(file[key] ?? {}).map((word) => ({ word, meaning: key, at: [key, word] })),
  ),
]

const entries = (
  words: ReadonlyArray<string> = [],
  meaning: string,
  at: ValuePath,
): ReadonlyArray<Entry> => words.map((word, index) => ({ word, meaning, at: [...at, index] }))

/** Upper and lower case make no difference. */
const duplicates = (group: ReadonlyArray<Entry>): ReadonlyArray<Problem> => {
  const first = new Map<string, string>()
  return group.flatMap(({ at, meaning, word }) => {
    const known = first.get(word.toLowerCase())
    if (known === undefined) {
      first.set(word.toLowerCase(), meaning)
      return []
    }
    return known === meaning
      ? [{ code: "VOC001", message: `"${word}" is listed twice`, at, fix: "keep one of the two" }]
      : [
          {
            code: "VOC001",
            message: `"${word}" already means ${known}`,
            at,
            fix: "a word has one meaning: keep one of them",
          },
        ]
  })
}
