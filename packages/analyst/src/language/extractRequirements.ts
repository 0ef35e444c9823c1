/** Reads a question about a table into requirements without a model: by vocabulary, columns and values. */
import { isMeasure } from "@planloom/tables"
import type { DataProfile } from "@planloom/tables"
import type { Requirements } from "../requirements/Requirements.ts"
import { makeLexicon, closestWord, units } from "./Lexicon.ts"
import type { Lexicon } from "./Lexicon.ts"
import { Reading } from "./Reading.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import { defaultVocabulary } from "./defaultVocabulary.ts"
import { readAnalysis, resolveTime } from "./readAnalysis.ts"
import { readConditions } from "./readConditions.ts"
import { readCycles } from "./readCycles.ts"
import { readGrains } from "./readGrains.ts"
import { readGroups } from "./readGroups.ts"
import { readLimits } from "./readLimits.ts"
import {
  readMetrics,
  resolveFilters,
  resolveGroups,
  resolveRows,
  resolveTexts,
} from "./readMetrics.ts"
import { readOutputs } from "./readOutputs.ts"
import { readPeriods } from "./readPeriods.ts"
import { readPoints } from "./readPoints.ts"
import { resolveComparison } from "./resolveComparison.ts"
import { resolveLimits } from "./resolveLimits.ts"
import { resolveShares } from "./resolveShares.ts"
import { singular, tokenizeWithNames } from "./tokens.ts"
import type { Token } from "./tokens.ts"

export interface Extraction {
  readonly requirements: Requirements
  /** 0…1: how much of the question was understood. */
  readonly confidence: number
  /** Phrases that ask for a column or value that the table lacks; also in `requirements.unknown`. */
  readonly missing: ReadonlyArray<string>
  /** Interpretations of inexact words: `"sales" read as revenue`. */
  readonly notes: ReadonlyArray<string>
  /** A clarifying question to the user. */
  readonly question?: string
}

/** In order: readers of fixed forms claim their words before readers of loose ones. */
const readers: ReadonlyArray<(reading: Reading) => void> = [
  readOutputs,
  readCycles,
  readPoints,
  readPeriods,
  readLimits,
  readConditions,
  readGroups,
  readGrains,
  readAnalysis,
  readMetrics,
  resolveTexts,
  resolveFilters,
  resolveShares,
  resolveLimits,
  resolveComparison,
  resolveTime,
  resolveGroups,
  resolveRows,
]

/** Replaces words with a typo by the known word they most likely mean. */
const correctTypos = (
  tokens: ReadonlyArray<Token>,
  known: ReadonlySet<string>,
  notes: Array<string>,
): ReadonlyArray<Token> =>
  tokens.map((token) => {
    const fits = token.kind !== "word" || known.has(token.stem) || known.has(token.word)
    const meant = fits ? undefined : closestWord(token.word, known)
    if (meant === undefined) return token
    notes.push(`"${token.text}" read as ${meant}`)
    return { ...token, word: meant, stem: meant }
  })

/** Words that introduce a condition on rows. */
const limiting = new Set(
  "in,from,for,at,only,just,within,inside,outside,excluding,exclude,except,without,where,not".split(
    ",",
  ),
)

const kindWords = new Set(["type", "kind", "name", "category", "class", "group", "score"])

/** The "type" of "weather type" says only what kind of thing the column holds. */
const namesKind = (reading: Reading, at: number): boolean =>
  kindWords.has(reading.stem(at)) &&
  reading.mentions.some(({ end, value }) => end === at && value === undefined)

/** Adjacent words that no reader claimed, as phrases. */
const leftovers = (reading: Reading): ReadonlyArray<string> => {
  const { tokens, lexicon } = reading
  const phrases: Array<string> = []
  let words: Array<string> = []
  const close = () => {
    // Of "excluding widgets" only "widgets" is unknown.
    if (words.length > 1 && limiting.has(words[0]?.toLowerCase() ?? "")) words.shift()
    if (words.length > 0) phrases.push(words.join(" "))
    words = []
  }
  for (let at = 0; at < tokens.length; at++) {
    const silent = reading.phrase(at, lexicon.silent) ?? reading.phrase(at, lexicon.rows)
    const token = tokens[at] as Token
    if (silent !== undefined) {
      close()
      at += silent.length - 1
    } else if (reading.isTaken(at) || token.kind === "sign" || namesKind(reading, at)) {
      close()
    } else {
      words.push(token.text)
    }
  }
  close()
  return phrases
}

/** In "cars from Japan" and "the average weight of cars" the unknown word is the noun for the rows. */
const withoutRowWord = (reading: Reading, strange: ReadonlyArray<string>) => {
  const [only, ...rest] = strange
  if (only === undefined || rest.length > 0 || only.includes(" ")) return strange
  const plural = singular(only.toLowerCase()) !== only.toLowerCase()
  const spoken = reading.rowWord !== undefined || !plural
  const useful = reading.analysis.has("filter") || reading.metrics.size > 0
  if (spoken || !useful) return strange
  if (reading.lexicon.synonyms.has(singular(only.toLowerCase()))) return strange
  reading.rowWord = only
  return []
}

const articles = new Set(["the", "a", "an", "our", "all", "any"])

/** Whether an unknown word limits the rows: "in Atlantis". An answer must not ignore it. */
const limits = (reading: Reading, phrase: string): boolean =>
  reading.tokens.some((_, at) => {
    const [first, ...rest] = phrase.split(" ")
    const here = reading.tokens[at]?.text === first && !reading.isTaken(at)
    if (!here || units.has(reading.stem(at + rest.length))) return false
    let before = at - 1
    while (articles.has(reading.stem(before))) before--
    return limiting.has(reading.stem(before))
  })

/** A phrase of known words only is not an unknown name. */
const isStrange = (phrase: string, { known }: Lexicon): boolean =>
  phrase.split(" ").some((word) => !known.has(singular(word.toLowerCase())))

const listed = (names: ReadonlyArray<string>): string =>
  names.length > 12 ? `${names.slice(0, 12).join(", ")} …` : names.join(", ")

const ask = (reading: Reading, strange: ReadonlyArray<string>, empty: boolean) => {
  const { profile, questions, missing } = reading
  const unasked = missing.filter((said) => !questions.some((question) => question.includes(said)))
  const said = [...new Set([...unasked, ...strange])]
  const columns = listed(profile.columns.map(({ name }) => name))
  const [first] = questions
  if (said.length > 0 && (first === undefined || unasked.length > 0)) {
    const what = said.map((one) => `"${one}"`).join(", ")
    return `I found nothing for ${what} in the data. The columns are ${columns}. Which of them do you mean?`
  }
  if (first !== undefined) return first
  return empty ? `What would you like to know? The columns are ${columns}.` : undefined
}

const askRank = ({ columns }: DataProfile): string | undefined => {
  const names = columns.filter(isMeasure).map(({ name }) => name)
  return names.length > 1 ? `Ranked by which: ${listed(names)}?` : undefined
}

const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0.1, value)) * 100) / 100

/**
 * Deterministic. Infers nothing beyond the words: what the question leaves open stays empty or `unknown`;
 * words that no reader understands are in `requirements.unknown` and in `question`.
 */
export const extractRequirements = (
  question: string,
  profile: DataProfile,
  vocabulary: Vocabulary = defaultVocabulary(),
): Extraction => {
  const lexicon = makeLexicon(vocabulary, profile)
  const slips: Array<string> = []
  const tokens = correctTypos(
    tokenizeWithNames(
      question.slice(0, 4000),
      profile.columns.map(({ name }) => name),
    ),
    lexicon.known,
    slips,
  )
  const reading = new Reading(tokens, lexicon, profile)
  for (const read of readers) read(reading)
  const strange = withoutRowWord(reading, leftovers(reading))
  const missing = [...new Set(reading.missing)]
  const unknown = [...new Set([...missing, ...strange])]
  const requirements: Requirements = {
    metrics: [...reading.metrics],
    group_by: [...reading.groupBy],
    time: { column: reading.timeColumn, grain: reading.grain },
    analysis: [...reading.analysis],
    outputs: [...reading.outputs].filter(
      (output) =>
        !reading.constraints.some((one) => one.kind === "exclude" && one.output === output),
    ),
    constraints: reading.constraints,
    unknown,
  }
  const empty =
    requirements.metrics.length === 0 &&
    requirements.group_by.length === 0 &&
    requirements.analysis.length === 0 &&
    requirements.constraints.every(({ kind }) => kind === "exclude" || kind === "chart_type")
  const measured = requirements.metrics.length > 0 || requirements.analysis.includes("count")
  const counts = requirements.analysis.includes("count") && requirements.metrics.length === 0
  // In a count of rows, an unknown word is a condition.
  const unlimited =
    reading.unlimited ||
    strange.some((phrase) => (counts && isStrange(phrase, lexicon)) || limits(reading, phrase))
  const lost =
    unlimited || (unknown.length > 0 && !measured && !requirements.analysis.includes("summary"))
  const ranked = requirements.analysis.includes("ranking") && requirements.metrics.length === 0
  const asked = ask(reading, strange, empty) ?? (ranked ? askRank(profile) : undefined)
  const confidence =
    empty || lost ? 0.2 : 1 - 0.25 * missing.length - 0.1 * strange.length - 0.05 * slips.length
  return {
    requirements,
    confidence: clamp(confidence),
    missing,
    notes: [
      ...slips,
      ...reading.notes,
      ...(reading.rowWord === undefined
        ? []
        : [`"${reading.rowWord}" taken for the rows of the table`]),
    ],
    ...(asked === undefined ? {} : { question: asked }),
  }
}
