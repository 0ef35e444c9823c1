/** What a run had spent before it was taken up again. */
import { expect, it } from "vitest"
import type { FailureClass, RunEvent } from "@planloom/plugin"
import { BudgetLedger } from "../../model/BudgetLedger.ts"
import { PriorSpending } from "./PriorSpending.ts"
import { EmittedEvents } from "./EmittedEvents.ts"

const called = (seq: number, output: number, failure?: FailureClass): RunEvent => ({
  type: "ModelCalled",
  seq,
  at: seq,
  path: "draft",
  stage: "draft",
  model: "vendor/any",
  usage: { input: 10, output },
  ms: 1,
  ...(failure === undefined ? {} : { failure: { class: failure, message: "no" } }),
})

it("counts calls that were broken off once, whether their attempt is made again or not", () => {
  const account = new BudgetLedger({ tokens: 1000 }, "the run")
  const before = new PriorSpending([called(0, 100, "cancelled"), called(1, 5)])
  before.bookLost([account])
  expect(account.spent).toMatchObject({ tokens: 110, modelCalls: 1 })
  before.book("draft", "draft", [account])
  expect(account.spent).toMatchObject({ tokens: 125, modelCalls: 2 })
})

it("adds money up as a budget does, without what floating point leaves behind", () => {
  const account = new BudgetLedger({ cost_usd: 0.3 }, "the run")
  const cents = (cost: number) =>
    Object.assign({}, called(0, 1), { cost, path: `draft[${cost}]` }) as RunEvent
  const before = new PriorSpending([cents(0.1), cents(0.2)])
  before.bookWithin("", [account])
  expect(account.spent.cost).toBe(0.3)
})

it("counts no call that reached nobody", () => {
  const account = new BudgetLedger({ model_calls: 10 }, "the run")
  const refused = called(0, 0) as Extract<RunEvent, { type: "ModelCalled" }>
  const failure = { class: "unavailable", message: "no", unsent: true } as const
  const before = new PriorSpending([{ ...refused, failure }, called(1, 5)])
  before.book("draft", "draft", [account])
  expect(account.spent).toMatchObject({ tokens: 25, modelCalls: 1 })
})

it("does not take a call that is made again for the one that was broken off", () => {
  const told = new EmittedEvents([called(0, 100, "cancelled")])
  expect(told.holds(called(1, 5))).toBe(false)
  expect(new EmittedEvents([called(0, 5)]).holds(called(1, 5))).toBe(true)
})
