/** Separates a rate of rows ("what share of orders was returned") from parts of a total ("share of revenue by region"). */
import type { Constraint } from "../requirements/Requirements.ts"
import { phraseAt, words } from "./vocabulary/PhraseBook.ts"
import { choices } from "./TableQuestion.ts"
import type { Place, Reading } from "./Reading.ts"

type Filter = Extract<Constraint, { kind: "filter" }>
interface Placed extends Place {
  readonly one: Filter
}

const verbs = words(
  "is, are, was, were, be, been, has, have, had, do, does, did, who, that, which, use, uses, used, got, get",
)
const within = words(
  "in, from, for, on, at, among, amongst, within, during, of all, out of, of the, of, inside",
)
const joints = words("and, but, both, and are, and were, and have, and with")

const led = (reading: Reading, at: number): boolean => {
  const start = ["the", "a", "all"].includes(reading.stem(at - 1)) ? at - 1 : at
  return reading.phraseBefore(start, within) !== undefined
}

/** The conditions that the counted rows meet; the others limit all rows. */
const partsOf = (
  reading: Reading,
  from: number,
  all: ReadonlyArray<Placed>,
): ReadonlyArray<Placed> => {
  // "churn rate", "share of smokers among women"
  const compound = all.filter(({ end }) => end === from)
  if (compound.length > 0) return compound
  const after = all.filter(({ start }) => start > from)
  const verb = reading.tokens.findIndex(
    (_, at) =>
      at > from &&
      phraseAt(reading.tokens, at, verbs) !== undefined &&
      after.some(({ start, end }) => end > at && start >= at - 1),
  )
  const said = verb < 0 ? after : after.filter(({ end }) => end > verb + 1)
  const isSplit = verb >= 0 && said.length > 0
  const [first] = isSplit ? said : said.filter(({ start }) => !led(reading, start))
  const main = first ?? said[0] ?? all[0]
  if (main === undefined) return []
  const found = [main]
  for (const next of all.slice(all.indexOf(main) + 1)) {
    const before = found.at(-1)
    if (before === undefined || reading.phraseBefore(next.start, joints) === undefined) break
    found.push(next)
  }
  return found
}

const isPlaced =
  (reading: Reading) =>
  (one: Constraint): ReadonlyArray<Placed> => {
    const place = one.kind === "filter" ? reading.places.get(one) : undefined
    return one.kind === "filter" && place !== undefined ? [{ one, ...place }] : []
  }

const readRate = (reading: Reading): boolean => {
  const from = reading.tokens.findIndex((_, at) =>
    reading.usesAt(at).some((use) => use === "analysis:share" || use === "analysis:rate"),
  )
  const all = reading.constraints
    .flatMap(isPlaced(reading))
    .toSorted((left, right) => left.start - right.start)
  const parts = partsOf(reading, from, all)
  if (parts.length === 0) return false
  const columns = new Set(parts.map(({ one }) => one.column))
  const clash = all.find((other) => !parts.includes(other) && columns.has(other.one.column))
  if (clash !== undefined) {
    reading.block(clash.start, clash.end)
    reading.unclaim(clash.start)
  }
  for (const { one } of parts) {
    reading.constraints[reading.constraints.indexOf(one)] = { ...one, kind: "part" }
    reading.follow(`part:${one.column}`, `filter:${one.column}`)
  }
  reading.analysis.delete("share")
  reading.analysis.delete("count")
  reading.analysis.add("rate")
  reading.follow("analysis:rate", "analysis:share")
  return true
}

export const resolveRates = (reading: Reading): void => {
  const { analysis, groupBy, metrics } = reading
  if (analysis.has("change")) {
    // "growth from 2022 to 2023 in percent"
    for (const one of ["rate", "trend", "compare"] as const)
      if (analysis.delete(one)) reading.follow("analysis:change", `analysis:${one}`)
    return
  }
  const isShare = analysis.has("share")
  if (!isShare && !analysis.has("rate")) return
  if (metrics.size === 0 && readRate(reading)) return
  if (!isShare) {
    const at = reading.tokens.findIndex((_, place) =>
      reading.usesAt(place).includes("analysis:rate"),
    )
    analysis.delete("rate")
    reading.unclaim(at)
    return
  }
  const isDivided = groupBy.size > 0 || reading.grain !== "unknown"
  if (isDivided && metrics.size === 0) {
    // "share of tickets per channel" is of the number of rows.
    analysis.add("count")
    reading.follow("analysis:count", "rows", "analysis:share")
  }
  if (isDivided || reading.missing.length > 0) return
  const names = reading.profile.columns
    .filter(({ type }) => type === "string")
    .map(({ name }) => name)
  reading.questions.push({
    about: "",
    text: `The share of each what: ${names.join(", ") || "row"}?`,
    choices: choices(names.map((name) => `by ${name}`)),
  })
}
