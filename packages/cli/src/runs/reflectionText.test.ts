import { expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { describedReflections } from "./reflectionText.ts"

const tool = "search_documents"
const path = "work[0]/reflect"
const first = { query: "quantum computing", library: "sessions" }
const next = { query: "physics of emerging technology", library: "sessions" }

const events = (difference: ReadonlyArray<object>) =>
  [
    {
      type: "StageFinished",
      path: "work[0]/search",
      output: {
        calls: [{ step: "search_1", tool, params: first, ok: true, summary: "Nothing is found." }],
      },
    },
    { type: "Noted", path, note: "thinking", text: "Let me try related subjects.", data: {} },
    {
      type: "Noted",
      path,
      note: "reflection",
      data: {
        round: 0,
        strategy: "rewrite",
        reasoning: "No title has these words.",
        missing: [{ rule: "empty_results", reason: `${tool} found nothing` }],
        difference,
      },
    },
    {
      type: "StageFinished",
      path,
      output: { plan: { steps: [{ id: "again", tool, params: next }] } },
    },
  ] as unknown as ReadonlyArray<RunEvent>

it("a reflection is described by plan, diagnosis, strategy, new plan and difference", () => {
  const difference = [
    { op: "remove", step: "search_1" },
    { op: "add", step: "again" },
  ]
  expect(describedReflections(events(difference))).toEqual([
    {
      title: "reflection after round 1",
      rows: [
        ["plan", ['search_1: search_documents with query "quantum computing", library "sessions"']],
        ["found", ["Nothing is found."]],
        ["missing", ["search_documents found nothing"]],
        ["diagnosis", ["No title has these words."]],
        ["strategy", ["rewrite"]],
        ["the user read", ["Let me try related subjects."]],
        [
          "new plan",
          [
            'again: search_documents with query "physics of emerging technology", library "sessions"',
          ],
        ],
        ["difference", ["adds again, removes search_1"]],
      ],
    },
  ])
})

it("a reflection that left the plan as it was is not described", () => {
  expect(describedReflections(events([]))).toEqual([])
})
