/**
 * Reading model output, beside other parsers: share of rows passed per suite, speed, streaming, hostile text. Speed is CPU time.
 *
 *   node bench/salvage.ts <folder> [--baml <folder with @boundaryml/baml in node_modules>] [--misses]
 *
 * The folder holds `<suite>.jsonl`: `{id, kind, input | input_b64, expected?, schema?}`. Kinds: `value` and `partial` want
 * `expected`; `must_fail`, `no_json` and `partial_none` want a refusal; `strict_fail` wants one in strict mode.
 *
 * Where suites contradict each other, nobody can pass both rows: a row that is not passed is settled when the contender passes one that
 * contradicts it. Figures are given with all rows and, per suite, also without the settled ones; `--misses` names them.
 */
import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { stream } from "@planloom/salvage"
import { BRACKET_OUTCOMES, bracketTable } from "./salvage/bracketTable.ts"
import { baml, contenders, partialJson, type Contender } from "./salvage/contenders.ts"
import { contradictionsOf } from "./salvage/contradictions.ts"
import { brokenPlans, LOST, lostContenders, outcomeOf } from "./salvage/lostClosers.ts"
import { replyTable } from "./salvage/replyTable.ts"
import { halfOf, isSurvival, passes, readSuites, type Answer, type Row } from "./salvage/Row.ts"
import { clock, measureSpeeds, shownSpeed } from "./salvage/speed.ts"
import { hostileTexts, speedTexts } from "./salvage/texts.ts"

const { positionals, values: chosen } = parseArgs({
  allowPositionals: true,
  options: { baml: { type: "string" }, misses: { type: "boolean" } },
})
const [folder] = positionals
if (folder === undefined)
  throw new Error("usage: node bench/salvage.ts <folder> [--baml <folder>] [--misses]")
const all = chosen.baml === undefined ? contenders : [...contenders, await baml(chosen.baml)]

const cells = (values: ReadonlyArray<string>) => values.map((value) => value.padStart(13)).join("")
const heading = (title: string) =>
  console.log(
    `\n${title.padEnd(26)}${cells(all.map(({ name }) => name.replace("unfence+jsonrepair", "jr").replace("-json-parser", "").slice(0, 12)))}`,
  )

const attempt = (contender: Contender, row: Row): Answer => {
  try {
    return contender.read(row)
  } catch {
    return undefined
  }
}

const suites = readSuites(folder)
const contradictions = contradictionsOf(suites)

interface Tally {
  readonly rows: ReadonlySet<Row>
  readonly passed: ReadonlySet<Row>
  readonly settled: ReadonlySet<Row>
}

/** Hostile rows end BAML's process: they are not put to it. */
const tally = (contender: Contender): Tally => {
  const rows = new Set<Row>()
  const passed = new Set<Row>()
  for (const { name, rows: asked } of suites) {
    if (contender.name === "BAML" && isSurvival(name)) continue
    for (const row of asked) {
      rows.add(row)
      if (passes(name, row, attempt(contender, row))) passed.add(row)
    }
  }
  const settled = [...rows].filter(
    (row) =>
      !passed.has(row) &&
      (contradictions.get(row) ?? []).some(({ row: other }) => passed.has(other)),
  )
  return { rows, passed, settled: new Set(settled) }
}

const tallies = all.map(tally)

/** `undefined` where a contender was asked nothing. */
const share = (rows: ReadonlyArray<Row>, { rows: asked, passed }: Tally): number | undefined => {
  const counted = rows.filter((row) => asked.has(row))
  if (counted.length === 0) return undefined
  return (100 * counted.filter((row) => passed.has(row)).length) / counted.length
}

const mean = (shares: ReadonlyArray<number | undefined>): number => {
  const known = shares.filter((each) => each !== undefined)
  return known.reduce((sum, each) => sum + each, 0) / known.length
}

const shown = (value: number | undefined) => value?.toFixed(1) ?? "–"

const table = (
  title: string,
  parts: ReadonlyArray<{ readonly name: string; readonly rows: ReadonlyArray<Row> }>,
  left: (row: Row, tally: Tally) => boolean,
) => {
  heading(title)
  const shares = parts.map(({ rows }) =>
    tallies.map((each) =>
      share(
        rows.filter((row) => left(row, each)),
        each,
      ),
    ),
  )
  for (const [index, { name, rows }] of parts.entries())
    console.log(`${`${name} (${rows.length})`.padEnd(26)}${cells(shares[index]!.map(shown))}`)
  const means = all.map((_, column) => mean(shares.map((row) => row[column])))
  console.log(`${"mean".padEnd(26)}${cells(means.map(shown))}`)
}

const files = [...new Set(suites.map(({ file }) => file))].map((name) => ({
  name,
  rows: suites
    .filter((suite) => suite.file === name && !isSurvival(suite.name))
    .flatMap(({ rows }) => rows),
}))

table("Rows passed by group, %", suites, () => true)
for (const half of ["seen", "unseen"] as const)
  table(
    `${half} half of the groups, %`,
    suites.filter(({ name }) => !isSurvival(name)),
    ({ id }) => halfOf(`salvage-1:${id}`) === half,
  )
table("By suite, %", files, () => true)
table("By suite, settled left out", files, (row, { settled }) => !settled.has(row))
console.log(
  `${"settled rows".padEnd(26)}${cells(tallies.map(({ settled }) => String(settled.size)))}`,
)

if (chosen.misses === true) {
  const [{ rows, passed, settled }] = tallies as [Tally]
  for (const row of rows) {
    if (passed.has(row)) continue
    const against = (contradictions.get(row) ?? []).filter(({ row: other }) => passed.has(other))
    console.log(
      settled.has(row)
        ? `  settled: ${row.id} (${row.kind}) against ${against.map(({ row: other }) => other.id).join(", ")}`
        : `  miss: ${row.id} (${row.kind})`,
    )
  }
}

heading("Replies: right / changed, %")
for (const { name, cells: shares } of replyTable(all))
  console.log(`${name.padEnd(26)}${cells(shares)}`)

console.log(`\nLost closers, %${" ".repeat(22)}${LOST.map((each) => each.padStart(12)).join("")}`)
for (const set of ["seen", "unseen"] as const) {
  const plans = brokenPlans(set, 1500)
  for (const [name, read] of Object.entries(lostContenders)) {
    const counts = new Map<string, number>()
    for (const plan of plans) {
      const outcome = outcomeOf(plan, read(plan))
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
    const shares = LOST.map((each) => ((100 * (counts.get(each) ?? 0)) / plans.length).toFixed(1))
    console.log(
      `${`${set}, ${name}`.padEnd(38)}${shares.map((each) => each.padStart(12)).join("")}`,
    )
  }
}

console.log(
  `\nOne wrong bracket, %${" ".repeat(17)}${BRACKET_OUTCOMES.map((each) => each.padStart(12)).join("")}`,
)
for (const { name, shares } of bracketTable(suites.flatMap(({ rows }) => rows)))
  console.log(`${name.padEnd(38)}${shares.map((each) => each.padStart(12)).join("")}`)

const measured = measureSpeeds(all)
for (const [figure, title] of [
  ["mean", "MB per CPU second, mean"],
  ["best", "The same, best round"],
  ["share", "% of JSON.parse, median"],
] as const) {
  heading(title)
  for (const { name, speeds } of measured)
    console.log(`${name.padEnd(26)}${cells(speeds.map((each) => shownSpeed(each, figure)))}`)
}

const [, long] = speedTexts(250)[0]!
const streamed = long.slice(0, 65_536)
const timed = (work: () => void) => {
  const began = clock()
  work()
  return clock() - began
}
const incremental = () => {
  const reading = stream()
  for (let at = 0; at < streamed.length; at += 16) {
    reading.push(streamed.slice(at, at + 16))
    reading.partial()
  }
  reading.end()
}
const again = () => {
  for (let at = 16; at <= streamed.length; at += 16) partialJson(streamed.slice(0, at))
}
incremental()
console.log(
  `\nStreaming 64 KB in pieces of 16, a partial value after each, CPU ms in all: salvage ${Math.min(timed(incremental), timed(incremental), timed(incremental)).toFixed(0)}, partial-json again and again ${timed(again).toFixed(0)}`,
)

heading("Hostile text, ms")
for (const name of Object.keys(hostileTexts)) {
  const outcomes = all.map((contender) => {
    const script = new URL("salvage/hostileChild.ts", import.meta.url).pathname
    const child = spawnSync(process.execPath, [script, contender.name, name, chosen.baml ?? ""], {
      timeout: 20_000,
      encoding: "utf8",
    })
    if (child.signal !== null) return child.signal === "SIGTERM" ? "> 20 s" : "KILLED"
    return child.status === 0 ? child.stdout.trim() : "DIED"
  })
  console.log(`${name.padEnd(26)}${cells(outcomes)}`)
}
