/** The shape of a catalog's vocabulary: the words people ask with, as plain data that stage kinds read. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject } from "@planloom/plugin"
import type { DecodeContext, Shape } from "../Shape.ts"
import { list, map, record } from "./collections.ts"
import { object, optional } from "./object.ts"
import { oneOf, text } from "./scalars.ts"

const word = text("a word or phrase")
const words = list(word, { expected: "a list of words" })

/** Says which words are there twice; capitals make no other word. */
const checkWords = (
  value: Json,
  context: DecodeContext,
  seen: Map<string, string>,
  place: string,
): void => {
  if (!Array.isArray(value)) return
  for (const [index, entry] of (value as ReadonlyArray<Json>).entries()) {
    if (typeof entry !== "string") continue
    checkWord(entry, context.at(index), "value", seen, place)
  }
}

const checkWord = (
  entry: string,
  context: DecodeContext,
  spot: "key" | "value",
  seen: Map<string, string>,
  place: string,
): void => {
  const known = seen.get(entry.toLowerCase())
  seen.set(entry.toLowerCase(), known ?? place)
  if (known === undefined) return
  const help = known === place ? "keep one of the two" : "a word means one thing: keep one of them"
  context.problem({
    code: "PL0112",
    message: `"${entry}" is ${known === place ? "there" : `under ${known}`} already`,
    help,
    spot,
  })
}

const distinct = map(words, (decoded, context, raw) => {
  checkWords(raw, context, new Map(), "")
  return decoded
})

/** Lists of words by what they mean; no word may mean two of them. */
const meanings = (...labels: ReadonlyArray<string>): Shape<JsonObject> => {
  const lists = Object.fromEntries(
    labels.map((label) => [label, optional(words, `Words that mean ${label}.`)]),
  )
  const shape: Shape<object> =
    labels.length === 0
      ? record(words, { names: "free", expected: "a mapping of a meaning to its words" })
      : object(lists, { expected: "a mapping of a meaning to its words" })
  return map(shape, (decoded, context, raw) => {
    const seen = new Map<string, string>()
    for (const [label, value] of Object.entries(isObject(raw) ? raw : {})) {
      checkWords(value, context.at(label), seen, label)
    }
    return present(decoded)
  })
}

const extremes = record(text("what it is the most or least of"), {
  names: "free",
  expected: "a mapping such as { cheapest: price }",
})

/** Keys that are not written stay away, so that the value is plain data. */
const present = (decoded: object): JsonObject =>
  Object.fromEntries(Object.entries(decoded).filter(([, value]) => value !== undefined))

const checkExtremes = (raw: JsonObject, context: DecodeContext): void => {
  const seen = new Map<string, string>()
  for (const key of ["most", "least"]) {
    const given = raw[key]
    for (const entry of Object.keys(given !== undefined && isObject(given) ? given : {})) {
      checkWord(entry, context.at(key).at(entry), "key", seen, key)
    }
  }
}

export const vocabulary: Shape<JsonObject> = map(
  object(
    {
      base: optional(
        oneOf("english", "none"),
        "What these words are added to: english (the general words) or none, when they are the whole vocabulary.",
      ),
      synonyms: optional(
        list(distinct, { expected: "a list of lists such as [revenue, sales, turnover]" }),
        "Words for one thing each: a column called one of them is found by all of them.",
      ),
      analysis: optional(
        meanings(
          "total",
          "average",
          "median",
          "minimum",
          "maximum",
          "count",
          "distinct",
          "compare",
          "trend",
          "distribution",
          "anomaly",
          "correlation",
          "ranking",
          "share",
          "summary",
          "filter",
          "forecast",
          "moving_average",
        ),
        "Words that ask for a total, an average, a trend, a comparison …",
      ),
      grains: optional(
        meanings("hour", "day", "week", "month", "quarter", "year"),
        "Words for intervals of time.",
      ),
      outputs: optional(
        meanings("chart", "table", "text"),
        "Words that ask for a chart, a table or a text.",
      ),
      charts: optional(meanings(), "Names of kinds of chart."),
      negations: optional(distinct, "Words that refuse what follows them."),
      most: optional(extremes, "Words that ask for the most of something: heaviest: weight."),
      least: optional(extremes, "Words that ask for the least of something: cheapest: price."),
      rows: optional(distinct, "What people call the rows of a table."),
      silent: optional(distinct, "Words that carry no request."),
    },
    {
      expected: "a vocabulary such as { synonyms: [[revenue, sales]] }",
      aliases: {
        extends: "base",
        synonym: "synonyms",
        analyses: "analysis",
        aggregation: "analysis",
        aggregations: "analysis",
        grain: "grains",
        intervals: "grains",
        output: "outputs",
        chart: "charts",
        negation: "negations",
        refusals: "negations",
        row: "rows",
        ignore: "silent",
        stopwords: "silent",
        stop_words: "silent",
      },
      check: checkExtremes,
    },
  ),
  present,
)
