/** Reads a question about a table into requirements without a model: by vocabulary, columns and values. */
import {
  confidenceOf,
  decide,
  english,
  openPhrases,
  readingOf,
  readWords,
  type Reading as PlanningReading,
} from "@planloom/planning/reading"
import type { DataProfile } from "@planloom/tables"
import type { Analysis, Requirements } from "../requirements/Requirements.ts"
import { makeLexicon, closestWord } from "./vocabulary/Lexicon.ts"
import type { Lexicon } from "./vocabulary/Lexicon.ts"
import { Reading } from "./Reading.ts"
import { identifiesRows, isMeasurable } from "./columnKinds.ts"
import { choices, leaveOut } from "./TableQuestion.ts"
import type { TableQuestion } from "./TableQuestion.ts"
import type { Vocabulary } from "./vocabulary/Vocabulary.ts"
import { defaultVocabulary } from "./vocabulary/defaultVocabulary.ts"
import { readAnalysis } from "./read/readAnalysis.ts"
import { readComparisons } from "./read/readComparisons.ts"
import { readConditions } from "./read/readConditions.ts"
import { readGroups } from "./read/readGroups.ts"
import { readLimits } from "./read/readLimits.ts"
import { readColumns, readSubjects } from "./read/readColumns.ts"
import { readOutputs } from "./read/readOutputs.ts"
import { readPeriods } from "./read/readPeriods.ts"
import { nearChoices } from "./nearChoices.ts"
import { planParts } from "./planParts.ts"
import { readCombined } from "./read/readCombined.ts"
import { readPhrasing } from "./read/readPhrasing.ts"
import { resolve } from "./resolve.ts"
import { readCycles, readGrains, readPoints } from "./read/readTimes.ts"
import { tokenizeWithNames } from "./tokens.ts"
import type { Token } from "./tokens.ts"

export interface Extraction {
  readonly requirements: Requirements
  /** 0…1: the share of the question's words that have a use; one that is only interpreted counts half. */
  readonly confidence: number
  /** Phrases that ask for a column or value that the table lacks; also in `requirements.unknown`. */
  readonly missing: ReadonlyArray<string>
  /** Interpretations of inexact words: `"sales" read as revenue`. */
  readonly notes: ReadonlyArray<string>
  /** What to ask before there can be an answer. */
  readonly question?: TableQuestion
  /** Why there is no answer, when no question is left to ask. */
  readonly refusal?: string
}

/** In order: readers of fixed forms claim their words before readers of loose ones. */
const readers: { readonly [rule: string]: (reading: Reading) => void } = {
  readOutputs,
  readCycles,
  readPoints,
  readPeriods,
  readCombined,
  readComparisons,
  readLimits,
  readConditions,
  readGroups,
  readGrains,
  readAnalysis,
  readColumns,
  readSubjects,
  resolve,
  readPhrasing,
}

/** Replaces words with a typo by the known word they most likely mean. */
const correctTypos = (
  tokens: ReadonlyArray<Token>,
  { columnParts, known }: Lexicon,
  notes: Array<string>,
): ReadonlyArray<Token> =>
  tokens.map((token) => {
    const fits = token.kind !== "word" || known.has(token.stem) || known.has(token.word)
    const meant = fits
      ? undefined
      : (closestWord(token.word, columnParts) ?? closestWord(token.word, known, 1))
    if (meant === undefined) return token
    notes.push(`"${token.text}" read as ${meant}`)
    return { ...token, word: meant, stem: meant, slip: true }
  })

const listed = (names: ReadonlyArray<string>): string =>
  names.length > 12 ? `${names.slice(0, 12).join(", ")} …` : names.join(", ")

/** Analyses of the rows themselves, and those that measure every number unless one is named. */
const unmeasured = new Set<Analysis>([
  "count",
  "distinct",
  "filter",
  "summary",
  "correlation",
  "anomaly",
  "rate",
])

/** A measure that the question leaves out is asked for, never guessed. */
const askMeasure = (
  { analysis, metrics, group_by: groups, time, outputs }: Requirements,
  { columns, rows }: DataProfile,
): TableQuestion | undefined => {
  const measures = columns.filter((one) => isMeasurable(one) && !identifiesRows(one, rows))
  const bare = groups.length > 0 || time.grain !== "unknown" || outputs.includes("chart")
  const counts = analysis.includes("count") || analysis.includes("rate")
  const needs = analysis.some((one) => !unmeasured.has(one)) || (analysis.length === 0 && bare)
  const puts = analysis.some((one) => one === "average" || one === "median")
  if (!needs || metrics.length > 0 || (counts && !puts)) return undefined
  const names = measures.map(({ name }) => name).slice(0, MAX_MEASURES)
  return {
    about: "",
    text: `The question names nothing to measure: ${[...names, "the number of rows"].join(", ")}?`,
    choices: [...choices(names), ...rowChoice],
  }
}

const MAX_MEASURES = 8

const rowChoice = [
  { label: "the number of rows", says: "number of rows" },
  { label: "rows", says: "number of rows" },
]

/**
 * Deterministic. Infers nothing beyond the words: what the question leaves open stays empty or `unknown`; a word
 * without a use is in `requirements.unknown` and in `question`.
 */
export const extractRequirements = (
  question: string,
  profile: DataProfile,
  vocabulary: Vocabulary = defaultVocabulary(),
  asked: ReadonlyArray<string> = [],
): Extraction => {
  const text = question.slice(0, MAX_LENGTH)
  const lexicon = makeLexicon(vocabulary, profile)
  const slips: Array<string> = []
  const names = profile.columns.map(({ name }) => name)
  const tokens = correctTypos(tokenizeWithNames(text, names), lexicon, slips)
  const reading = new Reading(text, tokens, lexicon, profile)
  for (const [by, read] of Object.entries(readers)) {
    reading.by = by
    read(reading)
  }
  askParts(reading)
  for (const { start, end } of reading.unsure) reading.doubt(start, end)
  for (const [at, token] of tokens.entries()) if (token.slip === true) reading.doubt(at, at + 1)
  const understood = readingOf(text, english, reading.claims)
  const open = openPhrases(understood).map((phrase) => phrase.text)
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
    unknown: [...new Set([...reading.missing, ...open].map(plain))],
  }
  const decision = decideOn(reading, understood, requirements, asked)
  return {
    requirements,
    confidence: confidenceOf(understood),
    missing: [...new Set(reading.missing)],
    notes: [
      ...slips,
      ...reading.notes,
      ...(reading.rowWord === undefined
        ? []
        : [`"${reading.rowWord}" taken for the rows of the table`]),
    ],
    ...decision,
  }
}

/** "5-10" is one word of which a rule may have used a part: the other number may not be lost. */
const askParts = (reading: Reading): void => {
  for (const { end, start } of reading.words) {
    const places = reading.tokens.flatMap((token, at) =>
      token.start >= start && token.end <= end ? [at] : [],
    )
    const numbers = places.filter((at) => reading.tokens[at]?.kind === "number")
    const isSplit =
      places.some((at) => reading.isTaken(at)) && numbers.some((at) => !reading.isTaken(at))
    const [first, last] = [places[0], places.at(-1)]
    if (!isSplit || first === undefined || last === undefined) continue
    reading.lacks(first, last + 1, `What does "${reading.textOf(first, last + 1)}" mean here?`)
  }
}

const plain = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, " ")

/** Longer questions are cut: reading takes time in proportion to the words times the columns. */
const MAX_LENGTH = 4000

/** The one question to ask, or why there is no answer; empty if the question is understood. */
const decideOn = (
  reading: Reading,
  understood: PlanningReading,
  requirements: Requirements,
  asked: ReadonlyArray<string>,
): Pick<Extraction, "question" | "refusal"> => {
  const { profile, questions } = reading
  const isNew = ({ about, text }: TableQuestion) =>
    !asked.some((one) => one === (about === "" ? text : about))
  if (reading.tokens.some(({ word }) => word === "why"))
    return { refusal: "a table shows what happened, not why" }
  const own = questions.find(isNew)
  if (own !== undefined) return { question: own }
  const columns = listed(profile.columns.map(({ name }) => name))
  const decision = decide({
    reading: understood,
    parts: planParts(requirements),
    asked,
  })
  if (decision.type === "ask") {
    const about = withoutGrammar(decision.about)
    const near = nearChoices(about, reading)
    const said = openPhrases(understood).map(({ text }) => `"${text}"`)
    const labels = [...near.map(({ label }) => label), "leave it out"]
    return {
      question: {
        about,
        choices: [...near, ...leaveOut, ...choices(profile.columns.map(({ name }) => name))],
        text: `The data has nothing for ${said.join(", ")}. The columns are ${columns}. What does "${about}" mean here: ${labels.join(", ")}?`,
      },
    }
  }
  if (decision.type === "refuse")
    return { refusal: `${decision.reason}; the columns are ${columns}` }
  if (reading.refusal !== undefined) return { refusal: reading.refusal }
  if (questions.length > 0) return { refusal: questions[0]?.text ?? "" }
  const measure = isEmpty(requirements)
    ? {
        about: "",
        text: `What would you like to know? The columns are ${columns}.`,
        choices: [],
      }
    : askMeasure(requirements, profile)
  if (measure === undefined) return {}
  return isNew(measure) ? { question: measure } : { refusal: measure.text }
}

/** Of "excluding widgets" only "widgets" is in question. */
const withoutGrammar = (phrase: string): string => {
  const words = readWords(phrase, english)
  const first = words.find((word) => word.class === "content")
  return first === undefined ? phrase : phrase.slice(first.start)
}

const isEmpty = ({ analysis, constraints, group_by: groups, metrics }: Requirements): boolean =>
  metrics.length + groups.length + analysis.length === 0 &&
  constraints.every(({ kind }) => kind === "exclude" || kind === "chart_type")
