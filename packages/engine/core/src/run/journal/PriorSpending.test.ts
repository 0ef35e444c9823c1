/** What a run had spent before it was taken up again. */
import { expect, it } from "vitest"
import type { FailureClass, RunEvent } from "@planloom/plugin/effect"
import { Ledger } from "../../model/limit/Ledger.ts"
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

it("counts a cancelled call once, whether or not its attempt is repeated", () => {
  const account = new Ledger({ tokens: 1000 }, "the run")
  const before = new PriorSpending([called(0, 100, "cancelled"), called(1, 5)])
  before.bookLost([account])
  expect(account.spent).toMatchObject({ tokens: 110, modelCalls: 1 })
  before.book("draft", "draft", [account])
  expect(account.spent).toMatchObject({ tokens: 125, modelCalls: 2 })
})

it("adds costs without floating-point residue, as a budget does", () => {
  const account = new Ledger({ cost_usd: 0.3 }, "the run")
  const cents = (cost: number) =>
    Object.assign({}, called(0, 1), { cost, path: `draft[${cost}]` }) as RunEvent
  const before = new PriorSpending([cents(0.1), cents(0.2)])
  before.bookWithin("", [account])
  expect(account.spent.cost).toBe(0.3)
})

it("does not count a call that was never sent", () => {
  const account = new Ledger({ model_calls: 10 }, "the run")
  const refused = called(0, 0) as Extract<RunEvent, { type: "ModelCalled" }>
  const failure = { class: "unavailable", message: "no", unsent: true } as const
  const before = new PriorSpending([{ ...refused, failure }, called(1, 5)])
  before.book("draft", "draft", [account])
  expect(account.spent).toMatchObject({ tokens: 25, modelCalls: 1 })
})

it("counts a repeated call in addition to the cancelled one", () => {
  const told = new EmittedEvents([called(0, 100, "cancelled")])
  expect(told.holds(called(1, 5))).toBe(false)
  expect(new EmittedEvents([called(0, 5)]).holds(called(1, 5))).toBe(true)
})

it("counts a call of a reviewer once, and its repetition besides, whether or not its attempt is repeated", () => {
  const ofReviewer: RunEvent = Object.assign({}, called(0, 100), { reviewer: "judge" })
  const account = new Ledger({ tokens: 1000 }, "the run")
  const repeated = new PriorSpending([ofReviewer, called(1, 5)])
  repeated.bookReviews("draft", [account])
  repeated.bookReviews("draft", [account])
  expect(account.spent).toMatchObject({ tokens: 110, modelCalls: 1 })
  const answered = new Ledger({ tokens: 1000 }, "the run")
  const before = new PriorSpending([ofReviewer, called(1, 5)])
  before.book("draft", "draft", [answered])
  expect(answered.spent).toMatchObject({ tokens: 125, modelCalls: 2 })
  expect(new EmittedEvents([ofReviewer]).holds(ofReviewer)).toBe(false)
})
