/** Reads how a question about a table is put: wishes to see something, question words, auxiliaries, and verbs by their columns. */
import { isRelated } from "@planloom/planning/reading"
import { reader, type Found } from "../Form.ts"
import { isPast } from "../findItems.ts"
import type { Reading } from "../Reading.ts"

/** Analyses whose question begins with "how". */
const explained = [
  "trend",
  "compare",
  "distribution",
  "correlation",
  "anomaly",
  "summary",
  "share",
  "change",
  "ranking",
] as const

const claimWish = ({ end, start }: Found, reading: Reading) => reading.claim("wish", start, end)

const readSort = ({ start }: Found, reading: Reading): boolean => {
  const [before] = start === 0 ? [] : reading.usesAt(start - 1)
  if (before === undefined || !/^(group_by|metrics):/.test(before)) return false
  reading.claim(before, start)
  return true
}

/** The use of a column whose name or meaning the word is of: "paid in cash", "released in 1998". */
const useOf = (reading: Reading, stem: string): string | undefined => {
  const { columns, synonyms } = reading.lexicon
  const alike = [...synonyms].flatMap(([word, same]) => (isRelated(stem, word) ? [...same] : []))
  const meant = [stem, ...alike]
  const named = columns.filter(({ parts }) =>
    parts.some((part) => meant.some((one) => isRelated(one, part))),
  )
  for (const { column } of named) {
    const own = [`metrics:${column.name}`, `group_by:${column.name}`, `filter:${column.name}`]
    const use = own.find((one) => reading.uses(one))
    if (use !== undefined) return use
    if (reading.timeColumn === column.name) return "time"
  }
  return undefined
}

const readVerb = ({ start }: Found, reading: Reading): boolean => {
  const stem = reading.stem(start)
  const own = useOf(reading, stem)
  if (own !== undefined) {
    reading.claim(own, start)
    return true
  }
  // "treated by Dr. Boyd", "which physician treated the most patients": the column says who did.
  const [agent] = [...reading.usesAt(start + 2), ...reading.usesAt(start + 1)]
  const isAgent = reading.stem(start + 1) === "by" && agent?.startsWith("filter:") === true
  const subject = reading.usesAt(start - 1).find((use) => use.startsWith("group_by:"))
  const isObject = ["the", "most", "fewest"].includes(reading.stem(start + 1))
  const linked = isAgent ? agent : isObject && reading.uses("rows") ? subject : undefined
  if (linked === undefined || !isPast(reading, start)) return false
  reading.claim(linked, start)
  reading.doubt(start, start + 1)
  const said = reading.tokens[start]?.text
  reading.notes.push(`"${said}" taken for what ${linked.split(":")[1]} says of the rows`)
  return true
}

/** That a row exists, once the question is about rows. */
const readAppearance = (found: Found, reading: Reading): boolean => {
  const stem = reading.stem(found.start)
  const isTitled = [...reading.lexicon.title].some((word) => isRelated(stem, word))
  const isOfRows = reading.uses("rows") || reading.analysis.has("count")
  if (!isTitled && !(isOfRows && found.first("APPEAR") !== undefined)) return false
  reading.claim("rows", found.start)
  return true
}

const phrasing = reader([
  ["LOOK | SILENT | ROW | AUXILIARY", claimWish],
  [
    "HOW",
    (found, reading) =>
      explained.some((one) => reading.analysis.has(one)) && claimWish(found, reading) === undefined,
  ],
  [
    "RELATING",
    (found, reading) =>
      (reading.analysis.has("compare") || reading.analysis.has("correlation")) &&
      claimWish(found, reading) === undefined,
  ],
  ["SORT", readSort],
])

const verbs = reader([
  ["WORD", readVerb],
  ["APPEAR | WORD", readAppearance],
])

export const readPhrasing = (reading: Reading): void => {
  phrasing(reading)
  verbs(reading)
}
