/** Reads the verbs of a question by the columns that they are about: "paid in cash", "released in 1998", "treated by". */
import { isRelated, readWords, english } from "@planloom/planning/reading"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

/** Verbs of appearance and creation (Levin, English Verb Classes, 1993, 26 and 48): that a row exists. */
const appearing = words(
  "released, published, discovered, founded, born, opened, launched, introduced, established, recorded, reported, " +
    "registered, listed, created, made, built, produced, issued, held, started, placed, submitted, filed, admitted, logged, observed, detected, sighted, measured, aired, appeared, appear, began, found, included",
)

const isOpen = (reading: Reading, at: number): boolean =>
  reading.tokens[at]?.kind === "word" &&
  !reading.isTaken(at) &&
  !english.functionWords.includes(reading.stem(at))

/** Every use of a column and the words of its name and of the values that limit it. */
const usesOf = (reading: Reading) =>
  reading.lexicon.columns.flatMap(({ column, parts }) => {
    const limits = reading.constraints.filter(
      (one) => one.kind === "filter" && one.column === column.name,
    )
    const use = reading.metrics.has(column.name)
      ? `metrics:${column.name}`
      : reading.groupBy.has(column.name)
        ? `group_by:${column.name}`
        : limits.length > 0
          ? `filter:${column.name}`
          : reading.timeColumn === column.name
            ? "time"
            : undefined
    return use === undefined ? [] : [{ use, parts }]
  })

const isPast = (word: string): boolean => readWords(word, english)[0]?.operator === "past"

export const readVerbs = (reading: Reading): void => {
  const { lexicon, tokens } = reading
  const used = usesOf(reading)
  for (const [at, { stem }] of tokens.entries()) {
    if (!isOpen(reading, at)) continue
    const meant = new Set([stem, ...(lexicon.synonyms.get(stem) ?? [])])
    const own = used.find(({ parts }) =>
      parts.some((part) => [...meant].some((one) => isRelated(one, part))),
    )
    if (own !== undefined) {
      reading.claim(own.use, at)
      continue
    }
    const rows = reading.claims.some(
      ({ used: one }) => "requirement" in one && one.requirement === "rows",
    )
    const titled = [...lexicon.title].some((word) => isRelated(stem, word))
    if (rows && (titled || reading.phrase(at, appearing) !== undefined)) {
      reading.claim("rows", at)
      continue
    }
    // "treated by Dr. Boyd", "which physician treated the most patients": the column says who did.
    const agent =
      reading.stem(at + 1) === "by"
        ? (reading.usesAt(at + 2)[0] ?? reading.usesAt(at + 1)[0])
        : undefined
    const subject = reading.usesAt(at - 1).find((use) => use.startsWith("group_by:"))
    const object = ["the", "most", "fewest"].includes(reading.stem(at + 1)) ? subject : undefined
    const linked = agent?.startsWith("filter:") === true ? agent : object
    if (linked === undefined || !isPast(tokens[at]?.word ?? "") || (linked === object && !rows))
      continue
    reading.claim(linked, at)
    reading.doubt(at, at + 1)
    reading.notes.push(
      `"${tokens[at]?.text}" taken for what ${linked.split(":")[1]} says of the rows`,
    )
  }
}
