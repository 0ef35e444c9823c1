import { expect, it } from "vitest"
import { stillOpen } from "@planloom/core/internal"
import { toFailureRecord } from "@planloom/plugin/effect"
import { adviceFor } from "./advice.ts"

it("a turn of a session whose question is open is advised to answer or cancel, not to run again", () => {
  const advice = adviceFor(toFailureRecord(stillOpen("support", "run_1")))
  expect(advice).toBe("planloom runs answer run_1, or planloom runs cancel run_1")
})

it("a turn that another one came before is advised to run again", () => {
  const advice = adviceFor({
    class: "conflict",
    message: "it has changed",
    detail: { session: "support", version: 2, run: "run_1" },
  })
  expect(advice).toContain("run it again")
})

it("a loop without a round left is advised to have more of them, not to rerun a stage", () => {
  const failure = { class: "assertion", message: "not done" } as const
  expect(adviceFor({ ...failure, detail: { carry: {}, stopped: "iterations" } })).toContain(
    "max_iterations",
  )
  expect(adviceFor(failure)).toContain("max_reruns")
})

it("a model without a price is advised to get one where the budget counts money", () => {
  const failure = { class: "budget", message: "the price is not known" } as const
  const detail = { key: "cost_usd", limit: 1, used: 0 }
  expect(adviceFor({ ...failure, detail: { ...detail, priced: false } })).toContain("model_facts")
  expect(adviceFor({ ...failure, detail })).toContain("increase policies.budget")
})
