/** The words by which a request is understood: those worth mending where somebody slips. */
import type { Tool } from "@planloom/plugin/effect"
import { stemOf, wordsOf } from "../language/words.ts"
import { kindWords, requiredOf } from "./fillArguments.ts"

/** Verbs of wishes, and days; short names of months are too near to those of people. */
const commands =
  `open launch start show list find search locate look turn switch enable disable activate deactivate toggle copy read call today
tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february september october november december`.split(
    /\s+/,
  )

const known = new WeakMap<ReadonlyArray<Tool>, ReadonlySet<string>>()

/** Commands and the keywords of the tools, but for those that are the very thing that is sought. */
export const vocabularyOf = (tools: ReadonlyArray<Tool>): ReadonlySet<string> => {
  const words = known.get(tools) ?? wordsFor(tools)
  known.set(tools, words)
  return words
}

const wordsFor = (tools: ReadonlyArray<Tool>): ReadonlySet<string> =>
  new Set([
    ...commands,
    ...tools.flatMap((tool) => {
      const kinds = kindWords(tool)
      const sought = requiredOf(tool).includes("query")
      return (tool.keywords ?? [])
        .flatMap(wordsOf)
        .filter((word) => !sought || kinds.has(stemOf(word)))
    }),
  ])
