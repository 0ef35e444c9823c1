import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { completePlan, type WrittenPlan } from "@planloom/planning"
import { cases } from "../../../../../.config/cases.ts"
import { activity, marketTools, pairs } from "../../test/market.ts"
import { randomSteps } from "../../test/randomSteps.ts"
import { fittingPlan } from "../plan/fittingPlan.ts"
import { withFollowUps } from "./followUps.ts"
import type { Missing, WrittenStep } from "./Reflection.ts"

const ground = { tools: marketTools, domain: {} }

/** A rule for the pairs of each swap that `router_activity` lists. */
const follow: WrittenStep = {
  ...pairs,
  each: { ...pairs.each, over: { $from: "router_activity" } },
}
const tokens = ["PEPE", "LUNA", "WIF"].map((name) => ({ type: "token", id: `id_${name}`, name }))

const missing = (...then: ReadonlyArray<WrittenStep>): ReadonlyArray<Missing> => [
  // oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
  { rule: "pairs", reason: "unknown", then },
]

const extended = (steps: WrittenPlan["steps"], then = missing(follow), most?: number) =>
  withFollowUps(
    completePlan({ steps, ...(most === undefined ? {} : { max_steps: most }) }),
    then,
    tokens,
    ground,
  ).plan

describe("steps of rules", () => {
  it("are added once, with the step of a tool in place of its name", () => {
    const once = extended([activity])
    assert.deepStrictEqual(once.steps[1], {
      ...pairs,
      inputs: {},
      satisfies: [],
      rationale: "pairs: unknown",
    })
    assert.strictEqual(extended(once.steps).steps.length, 2)
  })

  it("get names of their own where the plan has these for something else", () => {
    const taken = [
      { ...activity, id: "pairs" },
      { ...activity, id: "swap", params: { router: "sushi_v2" } },
    ]
    const [, , added] = extended(taken).steps
    assert.strictEqual(added!.id, "pairs_2")
    assert.deepStrictEqual(added!.each, { over: { $from: "pairs" }, as: "swap_2", limit: 3 })
    assert.deepStrictEqual(added!.params, { token: { $from: "swap_2", path: "token.symbol" } })
    assert.strictEqual(extended(extended(taken).steps).steps.length, 3)
  })

  it("are added for each entity of a type, with its values", () => {
    const each = { entities: "token", as: "one", limit: 2 }
    const params = { token: { $from: "one", path: "id" } }
    const forTokens = { id: "found", tool: "find_pairs", params, each }
    const { steps } = extended([activity], missing(forTokens))
    assert.deepStrictEqual(
      steps.slice(1).map(({ each: list, id, params: own }) => [id, own, list]),
      [
        ["found", { token: "id_PEPE" }, undefined],
        ["found_2", { token: "id_LUNA" }, undefined],
      ],
    )
    assert.strictEqual(extended(steps, missing(forTokens)).steps.length, 3)
    const none = missing({ ...forTokens, each: { ...each, entities: "pair" } })
    assert.deepStrictEqual(
      withFollowUps(completePlan({ steps: [activity] }), none, tokens, ground).open,
      none,
    )
  })

  it("are left out where the plan could then not be executed", () => {
    assert.strictEqual(extended([activity], missing(follow), 3).steps.length, 1)
    assert.strictEqual(extended([activity], missing(follow), 4).steps.length, 2)
    assert.strictEqual(extended([{ ...activity, tool: "fly" }]).steps.length, 1)
  })

  it("never make a plan unfit that could be executed", () => {
    let added = 0
    fc.assert(
      fc.property(randomSteps, randomSteps, (steps, then) => {
        const before = fittingPlan({ steps: steps as WrittenPlan["steps"] }, ground)
        if ("issues" in before) return
        const after = withFollowUps(
          before.plan,
          missing(...(then as WrittenPlan["steps"]), follow),
          tokens,
          ground,
        ).plan
        assert.notProperty(fittingPlan(after, ground), "issues")
        if (after.steps.length > before.plan.steps.length) added++
      }),
      { numRuns: cases(1000), seed: 1 },
    )
    assert.isAbove(added, 50)
  })
})
