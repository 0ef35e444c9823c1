/** Reads requested and excluded outputs: "as a table", "bar chart", "no chart". */
import type { Output } from "../requirements/Requirements.ts"
import { words } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const between = words("a, an, any, the, me, need, want, show, draw, make, with")
const theData = words("the, this, that, my, our, your, whole, entire, data")
/** Words that request one output only. */
const only: ReadonlyArray<readonly [PhraseBook, Output]> = [
  [
    words(
      "just the numbers, only numbers, only the numbers, numbers only, just numbers, " +
        "only text, just text, text only",
    ),
    "text",
  ],
  [
    words("table only, tables only, only a table, only the table, just a table, just the table"),
    "table",
  ],
  [
    words(
      "chart only, charts only, only a chart, only the chart, just a chart, just the chart, " +
        "only a graph, just a graph",
    ),
    "chart",
  ],
]

/** Whether the words right before negate what follows; returns the start of the negation. */
export const refusedFrom = (reading: Reading, at: number): number | undefined => {
  let start = at
  for (let steps = 0; steps < 4; steps++) {
    const refusal = reading.phraseBefore(start, reading.lexicon.negations)
    if (refusal !== undefined) return refusal.start
    const word = reading.phraseBefore(start, between)
    const joined = reading.stem(start - 1) === "or" || reading.stem(start - 1) === "and"
    if (word === undefined && !joined) return undefined
    start = word?.start ?? start - 1
  }
  return undefined
}

/** "… or a chart": the negation before applies to this one, too. */
const isJoined = (reading: Reading, at: number): boolean => {
  const article = ["a", "an", "any", "the"].includes(reading.stem(at - 1))
  return ["or", "and"].includes(reading.stem(at - (article ? 2 : 1)))
}

const refuse = (reading: Reading, output: Output, start: number, end: number) => {
  reading.claim(`exclude:${output}`, start, end)
  const known = reading.constraints.some((one) => one.kind === "exclude" && one.output === output)
  if (!known) reading.constraints.push({ kind: "exclude", output })
}

const special = { histogram: "distribution", box: "distribution", scatter: "correlation" } as const

const readChart = (reading: Reading, at: number, chart: string, length: number) => {
  const from = refusedFrom(reading, at)
  if (from !== undefined) return refuse(reading, "chart", from, at + length)
  reading.claim(["outputs:chart", `chart_type:${chart}`], at, at + length)
  reading.outputs.add("chart")
  const analysis = Object.hasOwn(special, chart)
    ? special[chart as keyof typeof special]
    : undefined
  if (analysis !== undefined) {
    reading.analysis.add(analysis)
    reading.claim(`analysis:${analysis}`, at, at + length)
  }
  reading.constraints.push({ kind: "chart_type", chart })
}

export const readOutputs = (reading: Reading): void => {
  const { tokens, lexicon } = reading
  let refusedLast = false
  for (let at = 0; at < tokens.length; at++) {
    const alone = only.find(([book]) => reading.phrase(at, book) !== undefined)
    if (alone !== undefined) {
      const [book, output] = alone
      reading.outputs.add(output)
      const length = reading.phrase(at, book)?.length ?? 1
      reading.claim(`outputs:${output}`, at, at + length)
      reading.free(at, at + length)
      const other = output === "chart" ? "table" : "chart"
      refuse(reading, other, at, at + length)
      continue
    }
    const chart = reading.phrase(at, lexicon.charts)
    if (chart !== undefined && reading.mentionOver(at, chart.length) === undefined) {
      readChart(reading, at, chart.label, chart.length)
      continue
    }
    const match = reading.phrase(at, lexicon.outputs)
    if (match === undefined || reading.mention(at)?.quality === 1) continue
    const output = match.label as Output
    const from = refusedFrom(reading, at)
    const alsoRefused = refusedLast && isJoined(reading, at)
    if (from !== undefined || alsoRefused) {
      refuse(reading, output, from ?? at - 2, at + match.length)
      refusedLast = true
      continue
    }
    refusedLast = false
    reading.claim(`outputs:${output}`, at, at + match.length)
    // "in the table" refers to the data.
    const spoken = output === "table" && reading.phraseBefore(at, theData) !== undefined
    if (!spoken) reading.outputs.add(output)
  }
}
