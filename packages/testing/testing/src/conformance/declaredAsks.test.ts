/** The suites against components that ask more than they declare. */
import { stageKind, type Asks } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { expectAsked, expectStageAsked } from "./declaredAsks.ts"

const kindWith = (asks: Asks) =>
  stageKind<object>({
    id: "ask",
    summary: "Asks.",
    input: { type: "object" },
    output: true,
    asks: () => asks,
    model: () => Effect.succeed(null),
  })

describe("what a component declares that it asks", () => {
  it("is compared with its requests, a repair of each JSON reply included", () => {
    const json = kindWith({ questions: [{ way: "json" }] })
    expect(() => expectStageAsked(json, {}, { requests: 2, calls: 0 })).not.toThrow()
    expect(() => expectStageAsked(json, {}, { requests: 3, calls: 0 })).toThrow(/3 times.*says 2/)
    const loop = kindWith({ questions: [{ way: "agent", turns: 4 }], calls: 1 })
    expect(() => expectStageAsked(loop, {}, { requests: 5, calls: 0 })).toThrow(/says 4/)
    expect(() => expectStageAsked(loop, {}, { requests: 4, calls: 2 })).toThrow(/tools 2 times/)
    expect(() => expectAsked([], 1)).toThrow(/says 0/)
  })

  it("is not compared where nothing is declared, or reviewers ask the same model", () => {
    expect(() => expectAsked(undefined, 9)).not.toThrow()
    const reviews = kindWith({ reviews: ["calm"] })
    expect(() => expectStageAsked(reviews, {}, { requests: 9, calls: 0 })).not.toThrow()
  })
})
