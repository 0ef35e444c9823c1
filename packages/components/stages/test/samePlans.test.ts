/** `plan` and `reflect` judge the plan of a model alike. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { makeContext, runKind } from "../../stage-kit/test/context.ts"
import { plan } from "../src/kinds/plan.ts"
import { reflect } from "../src/kinds/reflect.ts"
import { marketTools } from "./market.ts"
import { randomSteps } from "./randomSteps.ts"

const request = "What is moving?"
const lost = { step: "x", tool: "find_pairs", params: {}, ok: false, summary: "", error: "no" }
const results = { steps: {}, calls: [lost] }

/** The steps or the issues, and what was repaired. */
const judged = (kind: typeof plan | typeof reflect, reply: Json, input: JsonObject) =>
  Effect.gen(function* () {
    const recorded = makeContext({ tools: marketTools, replies: [reply] })
    const made = yield* Effect.match(
      runKind(kind as typeof plan, "model", { request, ...input }, recorded),
      {
        onFailure: ({ class: reason, detail }) => ({
          refused: [reason, (detail as JsonObject)["issues"]],
        }),
        onSuccess: (output) => ({ steps: stepsIn(output) }),
      },
    )
    return { ...made, repairs: recorded.notes.filter(({ note }) => note === "repair") }
  })

/** Without the reasons that a reflection gives for its changes. */
const stepsIn = (output: JsonObject) =>
  (output["plan"] as { readonly steps: ReadonlyArray<JsonObject> }).steps.map(
    ({ rationale: _, ...step }) => step,
  )

it.effect("a plan is accepted, repaired and refused alike by `plan` and by `reflect`", () => {
  const seen = { accepted: 0, refused: 0, clashes: 0 }
  const property = fc.asyncProperty(randomSteps, async (steps) => {
    const made = { steps: steps as unknown as Json }
    const planned = await Effect.runPromise(judged(plan, { plan: made }, { round: 1 }))
    const reflected = await Effect.runPromise(
      judged(
        reflect,
        { strategy: "rewrite", plan: made },
        { plan: { steps: [] }, results, rules: ["failed_calls"] },
      ),
    )
    // The schema of `plan` lists the tools, so that it says in other words that there is none.
    if (steps.some(({ tool }) => tool === "fly")) {
      assert.property(reflected, "refused")
      assert.property(planned, "refused")
    } else assert.deepStrictEqual(reflected, planned)
    if ("steps" in planned) seen.accepted++
    else seen.refused++
    if (JSON.stringify(planned).includes("called as an item of another one")) seen.clashes++
  })
  return Effect.promise(async () => {
    await fc.assert(property, { numRuns: cases(1000), seed: 1 })
    assert.isAbove(seen.accepted, 50)
    assert.isAbove(seen.refused, 50)
    assert.isAbove(seen.clashes, 0)
  })
})
