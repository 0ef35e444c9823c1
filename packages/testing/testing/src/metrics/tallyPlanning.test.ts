import { assert, describe, it } from "vitest"
import type { Json, RunEvent } from "@planloom/plugin/effect"
import { noTally, sumTallies } from "./PlanningTally.ts"
import { coveredIn, tallyPlanning } from "./tallyPlanning.ts"

let seq = 0
const at = () => ({ seq: seq++, at: 0 })

const stage = (uses: string, output: Json, path = uses): ReadonlyArray<RunEvent> => [
  { ...at(), type: "StageStarted", path, stage: uses, uses },
  { ...at(), type: "StageFinished", path, stage: uses, output, attempts: 1 },
]

const repair = (step: string): RunEvent => ({
  ...at(),
  type: "Noted",
  path: "execute",
  stage: "execute",
  note: "repair",
  data: { step, path: "params.n", from: "3", to: 3, why: "text", rule: "to_number" },
})

const checked = (tools: ReadonlyArray<string>, covered: number, unjustified: number): Json => ({
  counts: { requirements: 4, covered, steps: tools.length, unjustified },
  plan: { steps: tools.map((tool) => ({ id: tool, tool })) },
})

const executed = (order: ReadonlyArray<string>, failed: ReadonlyArray<string> = []): Json => ({
  order,
  failed: failed.map((step) => ({ step, tool: step, message: "no rows" })),
})

describe("counting what plans came to", () => {
  it("counts nothing in a run without plans", () => {
    assert.deepEqual(tallyPlanning([]), noTally)
    assert.deepEqual(tallyPlanning(stage("call", { counts: { requirements: 9 } })), noTally)
  })

  it("counts requirements, steps, tools and repairs", () => {
    const tally = tallyPlanning([
      ...stage("narrow", { tools: ["filter", "aggregate"] }),
      ...stage("cover", checked(["filter", "aggregate", "plot", "plot"], 3, 1)),
      repair("filter"),
      repair("filter"),
      repair("never_run"),
      ...stage("execute", executed(["filter", "aggregate"], ["plot"])),
    ])
    assert.deepEqual(tally, {
      requirements: 4,
      covered: 3,
      expected: 0,
      met: 0,
      steps: 4,
      unjustified: 1,
      tools: 3,
      missed: 1,
      executed: 3,
      repaired: 1,
    })
  })

  it("counts requirements by hand where a plan was checked", () => {
    const truth = ["metrics:revenue", "group_by:region", "filter:year = 2023"]
    const matrix = { "metrics:revenue": ["s1"], "group_by:region": [], "metrics:units": ["s1"] }
    const events = stage("cover", { ...(checked(["aggregate"], 1, 0) as object), matrix })
    assert.include(tallyPlanning(events, truth), { expected: 3, met: 1 })
    assert.include(tallyPlanning([], truth), { expected: 0, met: 0 })
    assert.deepEqual([...coveredIn(events)], ["metrics:revenue", "metrics:units"])
  })

  it("takes the plan that came of a plan that was sent back", () => {
    const tally = tallyPlanning([
      ...stage("cover", checked(["aggregate", "histogram"], 2, 1), "rounds[0]/cover"),
      ...stage("cover", checked(["aggregate"], 4, 0), "rounds[0]/cover~2"),
      ...stage("cover", checked(["aggregate"], 4, 0), "rounds[1]/cover"),
    ])
    assert.include(tally, { requirements: 8, covered: 8, steps: 2, unjustified: 0 })
  })

  it("takes the tools of the plan as it was made where nobody checks it", () => {
    const tally = tallyPlanning([
      ...stage("narrow", { tools: ["a"] }),
      ...stage("adapt", { plan: { steps: [{ id: "x", tool: "b" }] } }),
    ])
    assert.include(tally, { tools: 1, missed: 1 })
  })

  it("bears outputs of any shape", () => {
    for (const output of [null, 1, "plan", [], { plan: 3, counts: [], order: {} }] as const) {
      const events = ["narrow", "adapt", "cover", "execute"].flatMap((uses) => stage(uses, output))
      assert.deepEqual(tallyPlanning(events), noTally)
    }
  })

  it("adds up", () => {
    const tally = { ...noTally, steps: 3, missed: 1 }
    assert.deepEqual(sumTallies([tally, noTally, tally]), { ...noTally, steps: 6, missed: 2 })
    assert.deepEqual(sumTallies([]), noTally)
  })
})
