/** The words by which people ask for a call of a tool: its own, and those of its params. */
import type { Tool } from "@planloom/plugin/effect"
import { writes } from "../Tool.ts"
import { withoutCodes } from "./findCodes.ts"
import type { Grammar } from "./words/Grammar.ts"
import { comparedExamples } from "./isExample.ts"
import { readDays } from "./readDays.ts"
import { spokenParams, type SpokenParam } from "./SpokenParam.ts"
import { stem } from "./words/stem.ts"
import { readWords, type Word } from "./words/Word.ts"

export interface CallWords {
  readonly tool: Tool
  readonly writes: boolean
  /** Stems of the tool's own words: of content and wishes in its name, summary and examples, and of its keywords. */
  readonly own: ReadonlySet<string>
  readonly params: ReadonlyArray<SpokenParam>
  /** Its examples, as requests are compared with them. */
  readonly examples: ReadonlySet<string>
  /** Whether a day alone asks for the tool, as in one of its examples. */
  readonly byDay: boolean
}

/** Stems of a keyword without content: of its operators, or of function words alone. */
const saidOf = (keyword: string, grammar: Grammar): ReadonlyArray<string> => {
  const words = readWords(keyword, grammar)
  const operators = words.filter((word) => word.class === "operator")
  return (operators.length === 0 ? words : operators).map(({ word }) => stem(word))
}

/** Any day: only the places of days in an example matter. */
const SOME_DAY = "2026-01-01"

/** Whether an example names a day and nothing else, such as "what do I have tomorrow". */
const isAskedByDay = ({ examples = [] }: Tool, grammar: Grammar): boolean =>
  examples.some((example) => {
    const spans = readDays(example, SOME_DAY)?.spans ?? []
    const isDay = (word: Word) =>
      spans.some(({ end, start }) => word.start < end && start < word.end)
    return (
      spans.length > 0 &&
      readWords(example, grammar).every(
        (word) => isDay(word) || word.class === "function" || word.operator === "question",
      )
    )
  })

/** Words of examples of a tool that takes free text are mostly values: only those that several examples share count. */
const SHARED = 2

const ownOf = (
  { examples = [], keywords = [], name, summary }: Tool,
  said: ReadonlyArray<ReadonlyArray<Word>>,
  params: ReadonlyArray<SpokenParam>,
  grammar: Grammar,
): ReadonlySet<string> => {
  const contentIn = (words: ReadonlyArray<Word>) =>
    words.flatMap((word) =>
      word.class === "content" || word.operator === "change" || word.operator === "look"
        ? [stem(word.word)]
        : [],
    )
  const contentOf = (text: string) => contentIn(readWords(text.replaceAll("_", " "), grammar))
  // A code in an example is a value, as those of requests are.
  const besideCodes = (text: string, words?: ReadonlyArray<Word>) => {
    const rest = withoutCodes(text, params, grammar).replaceAll("_", " ")
    return words !== undefined && rest === text ? contentIn(words) : contentOf(rest)
  }
  const counts = new Map<string, number>()
  for (const [at, example] of examples.entries())
    for (const word of new Set(besideCodes(example, said[at])))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const least = params.some(({ takes }) => takes === "text") ? SHARED : 1
  return new Set([
    ...contentOf(name),
    ...besideCodes(summary),
    ...keywords.flatMap((keyword) => {
      const content = contentOf(keyword)
      // "all" and "any" are keywords, too; the "on" of "worked on" is not.
      return content.length === 0 ? saidOf(keyword, grammar) : content
    }),
    ...[...counts].flatMap(([word, count]) => (count >= least ? [word] : [])),
  ])
}

export const callWords = (tool: Tool, grammar: Grammar): CallWords => {
  const params = spokenParams(tool, grammar)
  const said = (tool.examples ?? []).map((example) => readWords(example, grammar))
  return {
    tool,
    writes: writes(tool),
    own: ownOf(tool, said, params, grammar),
    params,
    examples: comparedExamples(said),
    byDay: params.some(({ takes }) => takes === "day") && isAskedByDay(tool, grammar),
  }
}
