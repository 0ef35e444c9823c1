import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { metricsText } from "../report/metricsText.ts"
import { baselineText, readBaseline, regressions, type Baseline } from "./Baseline.ts"
import { noTally } from "./PlanningTally.ts"
import { planningMetrics } from "./planningMetrics.ts"

const rate = fc.option(fc.integer({ min: 0, max: 10_000 }).map((n) => n / 1e4))
const metrics = fc.record({
  requirement_coverage_rate: rate,
  truth_coverage_rate: rate,
  unjustified_step_rate: rate,
  tool_retrieval_miss_rate: rate,
  plan_repair_rate: rate,
})
const good = {
  requirement_coverage_rate: 1,
  truth_coverage_rate: 0.8,
  unjustified_step_rate: 0,
  tool_retrieval_miss_rate: 0.25,
  plan_repair_rate: 0.1,
}

describe("a baseline", () => {
  it("holds nobody to more than was measured", () => {
    fc.assert(
      fc.property(metrics, (measured) => {
        const read = readBaseline(baselineText(measured))
        assert.notTypeOf(read, "string")
        assert.deepEqual(regressions(measured, read as Baseline), [])
      }),
    )
  })

  it("finds every metric that is worse, and none that is better", () => {
    assert.deepEqual(regressions({ ...good, requirement_coverage_rate: 0.99 }, good), [
      { metric: "requirement_coverage_rate", was: 1, is: 0.99 },
    ])
    assert.deepEqual(regressions({ ...good, plan_repair_rate: 0.1001 }, good), [
      { metric: "plan_repair_rate", was: 0.1, is: 0.1001 },
    ])
    assert.deepEqual(regressions({ ...good, tool_retrieval_miss_rate: 0 }, good), [])
  })

  it("is fallen short of when there is nothing to measure any more", () => {
    assert.lengthOf(regressions(planningMetrics(noTally), good), 5)
    assert.deepEqual(regressions(planningMetrics(noTally), {}), [])
  })

  it("says why a file is none", () => {
    assert.match(String(readBaseline("{")), /JSON/)
    assert.strictEqual(readBaseline("[]"), "it is no JSON object")
    assert.strictEqual(readBaseline('{"speed":1}'), "there is no metric speed")
    assert.match(String(readBaseline('{"plan_repair_rate":7}')), /from 0 to 1/)
  })

  it("is told line by line", () => {
    const tally = { ...noTally, requirements: 3, covered: 2, steps: 2 }
    const worse = regressions(planningMetrics(tally), { requirement_coverage_rate: 1 })
    assert.strictEqual(
      metricsText(tally, worse),
      `✗ requirement coverage        66.67 %  2 of 3 requirements  worse than the baseline's 100 %
  coverage of the truth             –  0 of 0 expected requirements
  unjustified steps               0 %  0 of 2 steps
  tools missed by narrowing         –  0 of 0 tools
  repaired steps                    –  0 of 0 executed steps
`,
    )
  })
})
