/** What a stage's view takes from events that plugins declare. */
import { expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { Progress } from "./Progress.ts"

const at = { at: 0, path: "say", stage: "say" }

const viewAfter = (audience: "user" | "operator") => {
  const progress = new Progress()
  const events: ReadonlyArray<RunEvent> = [
    { ...at, seq: 0, type: "StageStarted", uses: "speak" },
    { ...at, seq: 1, type: "Noted", note: "test/said", data: 1, audience, text: "said 1" },
  ]
  for (const event of events) progress.push(event)
  return progress.roots[0]!
}

it("shows the line of an event for users while the stage runs and after it", () => {
  expect(viewAfter("user")).toMatchObject({ message: "said 1", notes: new Set(["said 1"]) })
})

it("does not show the line of an event for operators", () => {
  expect(viewAfter("operator")).toMatchObject({ message: undefined, notes: new Set() })
})
