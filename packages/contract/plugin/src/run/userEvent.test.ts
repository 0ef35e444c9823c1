/** What a user gets of events. */
import { assert, describe, it } from "@effect/vitest"
import type { RunEvent } from "./Event.ts"
import { userEvent } from "./userEvent.ts"

const at = { seq: 3, at: 5, path: "r", stage: "r" }

describe("the event of a user", () => {
  it("has no value of a stage, no words of its failure, and no detail of the run's", () => {
    const failure = {
      class: "invalid_output",
      message: "the reply is hidden",
      detail: { reply: "hidden" },
    } as const
    const events: ReadonlyArray<RunEvent> = [
      { ...at, type: "StageFinished", output: { text: "hidden" }, attempts: 1 },
      { ...at, type: "IterationFinished", iteration: 0, done: true, carry: { text: "hidden" } },
      { ...at, type: "StageFailed", failure, attempts: 1, onError: "fail" },
      { seq: 4, at: 6, type: "RunFailed", failure: { ...failure, message: "shown" } },
    ]
    const own = events.map(userEvent)
    assert.notInclude(JSON.stringify(own), "hidden")
    assert.deepStrictEqual(
      own.map((event) => event?.type),
      events.map(({ type }) => type),
    )
    assert.include(JSON.stringify(own), '"message":"shown"')
  })

  it("is none for what operators read", () => {
    const events: ReadonlyArray<RunEvent> = [
      { ...at, type: "Reasoned", model: "m", words: 1, text: "hidden" },
      { ...at, type: "ToolCalled", tool: "t", key: "k", params: {}, summary: "hidden", ms: 1 },
      { ...at, type: "Noted", note: "n", data: "hidden" },
      { ...at, type: "Noted", note: "n", data: "hidden", audience: "operator" },
    ]
    assert.deepStrictEqual(events.map(userEvent), [undefined, undefined, undefined, undefined])
    const told: RunEvent = { ...at, type: "Noted", note: "n", data: 1, audience: "user" }
    assert.strictEqual(userEvent(told), told)
  })
})
