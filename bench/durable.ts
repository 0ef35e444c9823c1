/**
 * Ten recorded steps beside hand-written `node:sqlite`, in one run: `node bench/durable.ts [rounds]`. Both survive kill -9
 * (WAL, `synchronous = NORMAL`) and commit once per step. Runs per second and CPU per run, medians over interleaved rounds.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { resumeMs, stepMs } from "./durable/sized.ts"

const rounds = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(process.env["BENCH_FOLDER"] ?? tmpdir(), "planloom-durable-"))
const step = async (value: number) => value + 1

/** What one would write by hand: a row for the run, a row for each step, each committed before the next begins. */
const byHand = () => {
  const database = new DatabaseSync(join(folder, "plain.db"))
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  database.exec(`CREATE TABLE runs (id INTEGER PRIMARY KEY, status TEXT, input TEXT);
    CREATE TABLE steps (run INTEGER, name TEXT, output TEXT, PRIMARY KEY (run, name)) WITHOUT ROWID`)
  const begin = database.prepare("INSERT INTO runs (status, input) VALUES ('running', ?)")
  const record = database.prepare("INSERT INTO steps VALUES (?, ?, ?)")
  const end = database.prepare("UPDATE runs SET status = 'done' WHERE id = ?")
  return async () => {
    const id = begin.run(JSON.stringify({ n: 1 })).lastInsertRowid
    let value = 1
    for (let index = 0; index < 10; index++) {
      value = await step(value)
      record.run(id, `s${index}`, JSON.stringify(value))
    }
    end.run(id)
    if (value !== 11) throw new Error("wrong")
  }
}

const plugin = definePlugin({
  id: "bench",
  summary: "No-op work.",
  components: {
    stages: [
      stageKind<{ readonly value: number }>({
        id: "increment",
        summary: "Adds one.",
        input: {
          type: "object",
          properties: { value: { type: "integer" } },
          required: ["value"],
          additionalProperties: false,
        },
        output: { type: "integer" },
        run: ({ value }) => Effect.promise(() => step(value)),
      }),
    ],
  },
})

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: ten
inputs: { n: { type: integer } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" } }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`

const scope = Scope.makeUnsafe()
const path = join(folder, "ten.yaml")
writeFileSync(path, workflow)
const { pipeline } = await Effect.runPromise(
  Scope.provide(load(path, { extraPlugins: [plugin] }), scope),
)
const stored = join(folder, "runs.db")
const store = await Effect.runPromise(Scope.provide(openStore(stored), scope))
const definition = { file: path, texts: { [path]: workflow } }

const planloom = (options: Parameters<typeof run>[2]) => async () => {
  const { outputs } = await Effect.runPromise(run(pipeline, { n: 1 }, options))
  if (outputs["n"] !== 11) throw new Error("wrong")
}

const contestants = [
  { who: "by hand, node:sqlite", once: byHand() },
  { who: "Planloom, recorded", once: planloom({ store, definition }) },
  { who: "Planloom, in memory", once: planloom({}) },
]

const measured = contestants.map(() => [] as Array<{ perSecond: number; cpu: number }>)
const SECOND = 1000

let recorded = 0
for (let round = -1; round < rounds; round++) {
  for (const [index, { once }] of contestants.entries()) {
    const began = performance.now()
    const before = process.cpuUsage()
    let runs = 0
    for (; performance.now() - began < SECOND; runs++) await once()
    const { system, user } = process.cpuUsage(before)
    if (index === 1) recorded += runs
    const perSecond = runs / ((performance.now() - began) / SECOND)
    // The first round warms up.
    if (round >= 0) measured[index]!.push({ perSecond, cpu: (system + user) / runs })
  }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

console.log(`10 steps a run, one after another; medians of ${rounds} rounds of 1 s\n`)
console.log("| who | runs/s | CPU µs per run | of by hand |\n|---|---:|---:|---:|")
for (const [index, { who }] of contestants.entries()) {
  const ratio = median(
    measured[index]!.map(({ perSecond }, round) => perSecond / measured[0]![round]!.perSecond),
  )
  console.log(
    `| ${who} | ${median(measured[index]!.map(({ perSecond }) => perSecond)).toFixed(0)} | ${median(measured[index]!.map(({ cpu }) => cpu)).toFixed(0)} | ${ratio.toFixed(2)} |`,
  )
}
console.log(`\nbytes stored per run: ${(statSync(stored).size / recorded).toFixed(0)}\n`)

const timed = async (times: number, once: Effect.Effect<number, unknown>) => {
  const found: Array<number> = []
  for (let index = 0; index < times; index++) found.push(await Effect.runPromise(once))
  return median(found)
}

console.log(
  "| steps of a run | ms per step of 20 KB | ms to go on, one step left |\n|---:|---:|---:|",
)
for (const steps of [10, 100, 1000]) {
  const perStep = await timed(rounds, stepMs(folder, store, steps, 20_000))
  const goOn = await timed(rounds, resumeMs(folder, store, steps))
  console.log(`| ${steps} | ${perStep.toFixed(2)} | ${goOn.toFixed(1)} |`)
}
await Effect.runPromise(Scope.close(scope, Exit.void))
console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`)
rmSync(folder, { recursive: true, force: true })
