import type { Json, JsonObject } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import { runDocument } from "./runDocument.ts"

const asked = { name: "a", kind: "approval", path: "a", message: "May it?", schema: true }

const whole = {
  record: { run: "r", workflow: "w", status: "failed", inputs: {}, startedAt: 1 },
  personalDigests: { to: "salt.key", from: null },
  definition: { file: "w.yaml", texts: { "w.yaml": "kind: Workflow" }, flags: { set: [] } },
  steps: [{ name: "a", at: 1, outcome: { ok: true, value: 1 } }],
  timers: { "a/pause:1": 5 },
  waits: [{ askedAt: 1, wait: asked, answer: { by: "ann", at: 2, value: true } }],
  events: [
    { type: "RunStarted", seq: 0, at: 1, run: "r", workflow: "w", inputs: {} },
    { type: "Asked", seq: 1, at: 1, path: "a", stage: "a", wait: asked },
    { type: "RunFailed", seq: 2, at: 3, failure: { class: "internal", message: "no" } },
  ],
}

/** The whole with another value in one place. */
const edited = (place: string, value: Json): JsonObject => {
  const copy = structuredClone(whole) as unknown as JsonObject
  const keys = place.split(".")
  const last = keys.pop()!
  let at = copy as { [key: string]: unknown }
  for (const key of keys) at = at[key] as { [key: string]: unknown }
  at[last] = value
  return copy
}

describe("an exported run", () => {
  it("is accepted if it is complete, even with unknown event types of a later version", () => {
    expect(runDocument(whole as unknown as JsonObject)).toEqual(whole)
    expect(runDocument(edited("definition", null))).toBeDefined()
    expect(runDocument(edited("events.1", { type: "Later", seq: 1, at: 1 }))).toBeDefined()
  })

  it.each([
    ["record.run", ""],
    ["record.run", "../etc\u001b[31m"],
    ["record.status", "done"],
    ["record.inputs", null],
    ["definition", { file: "w.yaml", flags: {} }],
    ["definition.texts", { "w.yaml": 1 }],
    ["steps.0.outcome", { ok: false, failure: null }],
    ["record.userDigest", 7],
    ["personalDigests", { to: 7 }],
    ["timers", { a: "soon" }],
    ["waits.0.wait", {}],
    ["waits.0.answer", "yes"],
    ["events.1", null],
    ["events.1.seq", 7],
    ["events.1.wait", null],
    ["events.2.failure", "no"],
  ] satisfies ReadonlyArray<readonly [string, Json]>)(
    "is not when %s was edited to %j",
    (place, value) => {
      expect(runDocument(edited(place, value))).toBeUndefined()
    },
  )
})
