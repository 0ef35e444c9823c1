/** The data analyst, asked as people ask: understood, planned and computed right, table by table. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { listRequirements } from "@planloom/analyst"
import type { Requirements } from "@planloom/analyst"
import type { Plan } from "@planloom/planning"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { sumTallies } from "../../src/metrics/PlanningTally.ts"
import type { PlanningTally } from "../../src/metrics/PlanningTally.ts"
import { planningMetrics } from "../../src/metrics/planningMetrics.ts"
import { tallyPlanning } from "../../src/metrics/tallyPlanning.ts"
import type { Answered, AskedBack, Refused } from "./Question.ts"
import { hireAnalyst, openTable } from "./harness.ts"
import type { Analyst, OpenTable } from "./harness.ts"
import { assertSameRows } from "./sameRows.ts"
import { tables } from "./tables/index.ts"

let analyst: Analyst
beforeAll(async () => {
  analyst = await hireAnalyst()
})
afterAll(() => analyst.close())

const outputOf = ({ stages }: RunResult, stage: string): JsonObject =>
  (stages[stage]?.output ?? {}) as JsonObject

const plannedTools = (result: RunResult): ReadonlyArray<string> =>
  (outputOf(result, "plan")["plan"] as unknown as Plan).steps.map(({ tool }) => tool)

/** What holds for every answer, whatever the question. */
const assertSound = (result: RunResult, idle: ReadonlyArray<string>): void => {
  const coverage = outputOf(result, "coverage")
  const counts = coverage["counts"] as unknown as { readonly [what: string]: number }
  assert.isTrue(coverage["ok"])
  assert.strictEqual(counts["covered"], counts["requirements"])
  assert.strictEqual(counts["unjustified"], 0)
  const failed = outputOf(result, "results")["failed"] as ReadonlyArray<JsonObject>
  assert.deepEqual(
    failed.map(({ tool }) => tool),
    [...idle],
    JSON.stringify(failed),
  )
  assert.strictEqual(result.usage.modelCalls, 0)
  const { chart, report } = result.outputs
  const drawn = plannedTools(result).some(
    (tool) => tool.startsWith("plot_") && !idle.includes(tool),
  )
  assert.strictEqual(chart !== null, drawn, "a chart is given when one is drawn")
  assert.match((report as { readonly html: string }).html, /^<!doctype html>/)
}

const assertAnswered = async (
  question: Answered,
  { events, result }: { readonly result: RunResult; readonly events: ReadonlyArray<RunEvent> },
  table: OpenTable,
): Promise<void> => {
  assert.strictEqual(result.status, "succeeded", result.failure?.message)
  const found = outputOf(result, "requirements")["requirements"] as unknown as Requirements
  assert.sameMembers(
    listRequirements(found).map(({ id }) => id),
    [...question.needs],
  )
  assert.deepEqual(found.unknown, question.unknown ?? [])
  assert.deepEqual(plannedTools(result), question.tools)
  const called = events.flatMap((one) =>
    one.type === "ToolCalled" && one.stage === "results" ? [one.tool] : [],
  )
  assert.sameMembers(called, [...question.tools])
  assertSound(result, question.idle ?? [])
  const given = result.outputs["table"] as unknown as Parameters<typeof assertSameRows>[0]
  assertSameRows(given, await table.query(question.sql), question.ordered === true)
  for (const words of [...(question.says ?? []), ...(question.unknown ?? [])]) {
    assert.include(String(result.outputs["answer"]), words)
  }
}

const assertAskedBack = ({ asksBack }: AskedBack, result: RunResult): void => {
  assert.strictEqual(result.status, "clarification", String(result.outputs["answer"]))
  for (const words of asksBack) assert.include(result.failure?.message, words)
  assert.strictEqual(result.usage.toolCalls, 1, "nothing but the first look at the file")
}

const assertRefused = ({ refuses }: Refused, result: RunResult): void => {
  assert.strictEqual(result.status, "failed", String(result.outputs["answer"]))
  for (const words of refuses) assert.include(result.failure?.message, words)
}

const tallies: Array<PlanningTally> = []

for (const table of tables) {
  describe(`${table.file}`, () => {
    let open: OpenTable
    beforeAll(async () => {
      open = await openTable(table)
    })
    afterAll(() => open.close())
    for (const question of table.questions) {
      it(`${question.ask}`, async () => {
        const run = await analyst.ask(question.ask, open.path)
        assert.deepEqual(run.result.degraded, [])
        if ("asksBack" in question) assertAskedBack(question, run.result)
        else if ("refuses" in question) assertRefused(question, run.result)
        else {
          await assertAnswered(question, run, open)
          // No step covers what the answer must not have.
          const needs = question.needs.filter((id) => !id.startsWith("exclude:"))
          tallies.push(tallyPlanning(run.events, needs))
        }
      })
    }
  })
}

it("plans cover every requirement with tools that were found at once, and need no repair", () => {
  const answered = tables.flatMap(({ questions }) => questions).filter((one) => "sql" in one)
  assert.lengthOf(tallies, answered.length)
  assert.deepEqual(planningMetrics(sumTallies(tallies)), {
    requirement_coverage_rate: 1,
    truth_coverage_rate: 1,
    unjustified_step_rate: 0,
    tool_retrieval_miss_rate: 0,
    plan_repair_rate: 0,
  })
})
