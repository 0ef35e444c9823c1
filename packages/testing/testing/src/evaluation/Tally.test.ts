/** The numbers of one variant. */
import { expect, it } from "vitest"
import { noTally } from "../metrics/PlanningTally.ts"
import { Tally } from "./Tally.ts"

it("adds up what runs have cost to the last digit, however little that is", () => {
  const tally = new Tally(1, [])
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, modelCalls: 1, toolCalls: 0 }
  for (const [at, cost] of [0.00000465, 0.0000001, 0.00000285].entries()) {
    const result = { status: "succeeded", degraded: [], usage: { ...usage, cost } } as const
    tally.add(at, 0, {
      passed: true,
      result,
      planning: noTally,
      prediction: undefined,
      ms: 1,
      scores: {},
      missed: false,
    })
  }
  expect(tally.figures()).toMatchObject({ runs: 3, cost: 0.0000076 })
})
