/** The data analyst end to end: its own tests, and its numbers against DuckDB asked directly. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import type { JsonObject, Plugin } from "@planloom/plugin/effect"
import { closeSessions } from "@planloom/tools-data"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import type { LoadedWorkflow, RunResult } from "@planloom/core"
import { goldenRun } from "../src/golden/goldenRun.ts"
import { passed } from "../src/workflow/TestReport.ts"
import { planningMetrics, tallyOf } from "../src/metrics/planningMetrics.ts"
import { pretty } from "../src/report/pretty.ts"
import { readBaseline, regressions } from "../src/metrics/Baseline.ts"
import { runWorkflowTest } from "../src/workflow/runWorkflowTest.ts"
import type { Baseline } from "../src/metrics/Baseline.ts"

const root = join(import.meta.dirname, "../../../..")
const workflow = join(root, "workflows/data_analyst.yaml")
const table = (name: string) => join(root, "examples/data", name)
const sales = table("sales.csv")
const tickets = table("support_tickets.csv")

const plugins: { readonly [name: string]: () => Promise<Plugin> } = {
  "@planloom/stages": async () => (await import("@planloom/stages")).default,
  "@planloom/analyst": async () => (await import("@planloom/analyst")).default,
  "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
  "@planloom/tools-data": async () => (await import("@planloom/tools-data")).default,
}

const workspace = mkdtempSync(join(tmpdir(), "analyst-"))
const scope = Scope.makeUnsafe()
let loaded: LoadedWorkflow

beforeAll(async () => {
  loaded = await Effect.runPromise(Scope.provide(load(workflow, { plugins }), scope))
})

afterAll(() => {
  closeSessions()
  rmSync(workspace, { recursive: true, force: true })
})

const ask = (question: string, data: string): Effect.Effect<RunResult> =>
  Effect.orDie(run(loaded.pipeline, { question, data }, { workspace }))

/** DuckDB's own answer, by a query that knows nothing of plans. */
const sql = (query: string): Effect.Effect<ReadonlyArray<JsonObject>> =>
  Effect.promise(async () => {
    const connection = await (await DuckDBInstance.create()).connect()
    const reader = await connection.runAndReadAll(
      query
        .replace("$sales", `read_csv('${sales}')`)
        .replace("$tickets", `read_csv('${tickets}', delim = ';')`),
    )
    return reader.getRowObjectsJson() as unknown as ReadonlyArray<JsonObject>
  })

type Cell = readonly [group: string, value: number]

/** Rows as group and value, in an order that means nothing. */
const cells = (rows: ReadonlyArray<JsonObject>, groups: ReadonlyArray<string>, value: string) =>
  rows
    .map((row): Cell => [groups.map((group) => String(row[group])).join(" / "), Number(row[value])])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Sums of doubles may differ in their last digits by the order they are added in. */
const assertSame = (actual: ReadonlyArray<Cell>, expected: ReadonlyArray<Cell>) => {
  assert.deepStrictEqual(
    actual.map(([group]) => group),
    expected.map(([group]) => group),
  )
  for (const [index, [group, value]] of actual.entries()) {
    assert.approximately(value, expected[index]![1], Math.abs(expected[index]![1]) * 1e-9, group)
  }
}

const rowsOf = ({ outputs }: RunResult) =>
  (outputs["table"] as JsonObject)["preview"] as ReadonlyArray<JsonObject>

describe("the data analyst's numbers are those of a query written by hand", () => {
  const questions: ReadonlyArray<{
    readonly question: string
    readonly data: string
    readonly groups: ReadonlyArray<string>
    readonly value: string
    readonly query: string
  }> = [
    {
      question: "What is the total revenue by region?",
      data: sales,
      groups: ["region"],
      value: "revenue",
      query: "select region, sum(revenue) as revenue from $sales group by region",
    },
    {
      question: "Average units by product category in Europe",
      data: sales,
      groups: ["product_category"],
      value: "units",
      query:
        "select product_category, avg(units) as units from $sales where region = 'Europe' group by 1",
    },
    {
      question: "How did revenue develop per quarter?",
      data: sales,
      groups: ["date"],
      value: "revenue",
      query:
        "select date_trunc('quarter', date)::date as date, sum(revenue) as revenue from $sales group by 1",
    },
    {
      question: "Top 2 regions by returns in 2024",
      data: sales,
      groups: ["region"],
      value: "returns",
      query:
        "select region, sum(returns) as returns from $sales where year(date) = 2024 group by 1 order by 2 desc limit 2",
    },
    {
      question: "What is the average hours to resolve by priority?",
      data: tickets,
      groups: ["priority"],
      value: "hours to resolve",
      query: `select priority, avg("hours to resolve") as "hours to resolve" from $tickets group by 1`,
    },
    {
      question: "How many tickets came in through each channel?",
      data: tickets,
      groups: ["channel"],
      value: "count",
      query: `select channel, count(*) as count from $tickets group by 1`,
    },
  ]
  for (const { data, groups, query, question, value } of questions) {
    it.live(question, () =>
      Effect.gen(function* () {
        const result = yield* ask(question, data)
        assertSame(cells(rowsOf(result), groups, value), cells(yield* sql(query), groups, value))
        assert.match(JSON.stringify(result.outputs["report"]), /<!doctype html>/)
      }),
    )
  }
})

it.live("its own test file passes", () =>
  Effect.gen(function* () {
    const report = yield* runWorkflowTest(join(root, "workflows/data_analyst.test.yaml"), {
      load: { plugins },
    })
    assert.isTrue(passed([report]), pretty([report]))
    assert.isAtLeast(report.tests.length, 10)
    const metrics = planningMetrics(tallyOf([report]))
    assert.include(metrics, { requirement_coverage_rate: 1, unjustified_step_rate: 0 })
    const kept = readFileSync(join(root, "workflows/data_analyst.metrics.json"), "utf8")
    assert.deepEqual(regressions(metrics, readBaseline(kept) as Baseline), [])
  }),
)

it.live("does the same every time, and its story holds no time, id or folder of the machine", () =>
  Effect.gen(function* () {
    const given = { inputs: { question: "What is the total revenue by region?", data: sales } }
    const story = goldenRun(loaded, given, { workspace, folders: [root, workspace] })
    const [first, second] = [yield* story, yield* story]
    assert.strictEqual(first, second)
    assert.notInclude(first, root)
    assert.match(first, /^RunStarted run="<id:1>" workflow="data_analyst"/)
    assert.match(first, /\nStageFinished coverage output=\{"ok":true/)
    assert.match(first, /\nToolCalled results tool="aggregate"/)
  }),
)
