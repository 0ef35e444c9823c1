/**
 * How well the data analyst reads questions without a model: every number of its answers against SQL by hand.
 * `node bench/analyst.ts <folder> [--half seen|unseen] [--list seen] [--scripted] [--changes [--seed <number>]]
 *  [--set <folder>]`. <folder> holds clones of the repositories that `analyst/tables.yaml` names. `--changes` asks each
 * question that was answered once more with a word inserted or removed. Rules may be written with the seen half in view
 * only: `--list` prints its misses, and the texts of the unseen half are never printed. `--scripted` asks with a model
 * that reads rightly: what fails then is planning, execution or the answer. `--set` names a folder with questions of your
 * own.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import { listRequirements, normalizeRequirements } from "@planloom/analyst"
import type { JsonObject } from "@planloom/plugin/effect"
import { openAnalyst, type Reply } from "./analyst/askAnalyst.ts"
import { readTruth } from "./analyst/readTruth.ts"
import { changesOf } from "./analyst/perturb.ts"
import { questionsOf, type Question } from "./analyst/Question.ts"
import { scriptedModel } from "./analyst/scriptedModel.ts"
import { sameTable, states, type Match } from "./analyst/sameTable.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string" },
    list: { type: "string" },
    changes: { type: "boolean", default: false },
    scripted: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    set: { type: "string" },
  },
})
const folder = positionals[0]
if (folder === undefined) throw new Error("which folder holds the tables?")
if (values.list !== undefined && values.list !== "seen")
  throw new Error("only misses of the seen half are printed: --list seen")

const questions = questionsOf(folder, values.set).filter(
  ({ half }) => values.half === undefined || half === values.half,
)
const database = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
const copy = join(mkdtempSync(join(tmpdir(), "truth-")), "utf-8.csv")
const rowsOf = async ({ table }: Question, sql: string) => {
  writeFileSync(copy, new TextDecoder(table.encoding).decode(readFileSync(table.path)))
  await database.run(`CREATE OR REPLACE TEMP VIEW t AS FROM read_csv('${copy}')`)
  return (
    await database.runAndReadAll(sql)
  ).getRowObjectsJson() as unknown as ReadonlyArray<JsonObject>
}

type Answered = Extract<Reply, { readonly type: "answered" }>

const wrong = { true: "wrong, with a note", false: "wrong, without a note" } as const
/** In the order in which they are printed. */
const outcomes = [
  "right",
  "right but incomplete",
  "asked or refused",
  wrong.true,
  wrong.false,
  "answered, with a note",
  "answered, without a note",
  "failed",
]

const classOf = async (question: Question, reply: Reply): Promise<string> => {
  if (reply.type !== "answered") return reply.type === "asked" ? "asked or refused" : "failed"
  const hasNote = reply.notes.length > 0
  if (question.truth === undefined) {
    if (reply.table === null) return "asked or refused"
    return hasNote ? "answered, with a note" : "answered, without a note"
  }
  const matches: Array<Match> = []
  for (const sql of [question.truth, question.also ?? []].flat()) {
    const rows = await rowsOf(question, sql)
    if (rows.length === 0) throw new Error(`${question.id}: the truth has no rows`)
    const truth = { rows, ranked: question.ranked ?? false, limited: / LIMIT \d+$/.test(sql) }
    const match = reply.table === null ? "wrong" : sameTable(truth, reply.table)
    matches.push(match === "wrong" && states(reply.text, truth) ? "incomplete" : match)
  }
  if (matches.includes("right")) return "right"
  if (matches.includes("incomplete")) return "right but incomplete"
  if (reply.table === null) return "asked or refused"
  return wrong[`${hasNote}`]
}

/** What a changed question came to, beside the answer to the unchanged one. */
const effectOf = (before: Reply, after: Reply, added: string | undefined): string => {
  if (after.type !== "answered") return after.type === "asked" ? "asked or refused" : "failed"
  const rowsIn = (reply: Reply) =>
    reply.type === "answered" ? JSON.stringify(reply.table?.preview ?? null) : ""
  if (rowsIn(before) !== rowsIn(after)) return "another answer"
  if (added === undefined) return "the same answer"
  const isNoted = after.notes.some((note) =>
    added.split(" ").some((word) => word.length > 3 && note.toLowerCase().includes(word)),
  )
  return isNoted ? "the same answer, the word in a note" : "the same answer, the word dropped"
}

const tally = new Map<string, Map<string, number>>()
const count = (group: string, outcome: string) => {
  const counts = tally.get(group) ?? new Map<string, number>()
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  tally.set(group, counts)
}
const said = (reply: Reply) => {
  const rows = reply.type === "answered" ? JSON.stringify(reply.table?.preview.slice(0, 2)) : ""
  const notes = reply.type === "answered" ? reply.notes.map((note) => `\n    note: ${note}`) : []
  return `    ${reply.text.slice(0, 300).replaceAll("\n", " / ")} ${rows}${notes.join("")}`
}

/** Requirements of the truths, and those of them that a step of the plan fulfils: of answered questions, by half. */
const coverage = new Map<string, { wanted: number; covered: number }>()
const compare = (half: string, reading: JsonObject, { covered }: Answered) => {
  const ids = listRequirements(normalizeRequirements(reading)).flatMap(({ id, kind, must }) =>
    must && kind !== "outputs" ? [id] : [],
  )
  const sum = coverage.get(half) ?? { wanted: 0, covered: 0 }
  sum.wanted += ids.length
  sum.covered += ids.filter((id) => covered.includes(id)).length
  coverage.set(half, sum)
}

const model = values.scripted ? await scriptedModel() : undefined
const analyst = await openAnalyst(folder, model?.url)
for (const question of questions) {
  const [truth] = [question.truth ?? []].flat()
  const reading = truth === undefined ? undefined : await readTruth(database, truth)
  model?.read(reading)
  const reply = await analyst.ask(question.ask, question.table.path)
  const outcome = await classOf(question, reply)
  count(
    `${question.half}, ${question.truth === undefined ? "unanswerable" : "answerable"}`,
    outcome,
  )
  if (reading !== undefined && reply.type === "answered") compare(question.half, reading, reply)
  const shown = values.list === "seen" && (question.half === "seen" || values.set !== undefined)
  const good = question.truth === undefined ? "asked or refused" : "right"
  if (shown && outcome !== good)
    console.log(`${question.id}: ${question.ask}\n  ${outcome}\n${said(reply)}`)
  if (!values.changes || reply.type !== "answered") continue
  for (const { added, kind, text } of changesOf(question.ask, Number(values.seed))) {
    const after = await analyst.ask(text, question.table.path)
    const effect = effectOf(reply, after, added)
    count(`${question.half}, a word ${added === undefined ? "removed" : "inserted"}`, effect)
    if (
      shown &&
      effect !== "the same answer" &&
      (added === undefined || effect !== "asked or refused")
    )
      console.log(`${question.id}, ${kind}: ${text}\n  ${effect}\n${said(after)}`)
  }
}
await analyst.close()
model?.close()
rmSync(dirname(copy), { recursive: true })

for (const [group, counts] of [...tally].sort()) {
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0)
  console.log(`${group} (${all})`)
  for (const [outcome, some] of [...counts].sort(
    ([a], [b]) => outcomes.indexOf(a) - outcomes.indexOf(b),
  ))
    console.log(`  ${outcome}: ${some} = ${((100 * some) / all).toFixed(1)} %`)
}
for (const [half, { covered, wanted }] of coverage)
  console.log(
    `${half}, requirements of the truths covered by answers: ${covered} of ${wanted} = ${((100 * covered) / wanted).toFixed(1)} %`,
  )
// DuckDB's threads would keep the process alive.
process.exit(0)
