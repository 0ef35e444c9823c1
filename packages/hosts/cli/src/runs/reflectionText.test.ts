import { expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { describedReflections } from "./reflectionText.ts"

const tool = "search_documents"
const path = "work[0]/reflect"

const events = (data: object) =>
  [
    { type: "StageFinished", path: "work[0]/search", output: { calls: [{ summary: "before" }] } },
    { type: "Noted", path, note: "thinking", text: "Let me try related subjects.", data: {} },
    {
      type: "Noted",
      path,
      note: "reflection",
      data: {
        round: 0,
        strategy: "rewrite",
        reasoning: "no title has these words",
        missing: [{ rule: "empty_results", reason: `${tool} found nothing` }],
        difference: [{ op: "add", step: "search_documents_again" }],
        ...data,
      },
    },
    { type: "StageFinished", path, output: {} },
    {
      type: "StageFinished",
      path: "work[1]/search",
      output: {
        calls: [
          { tool, summary: "2 passages for “physics”." },
          { tool, from: "made", summary: "an earlier one" },
        ],
      },
    },
  ] as unknown as ReadonlyArray<RunEvent>

it("a reflection is described in sentences without names of tools, params and steps", () => {
  const words = {
    looked_for: ["“quantum computing” (sessions)", "“fraud” (speakers)"],
    nothing_for: ["“quantum computing” (sessions)"],
    failed_for: ["“fraud” (speakers)"],
    next: ["“physics” (sessions)"],
  }
  const described = describedReflections(events(words))
  expect(described).toEqual([
    {
      title: "reflection after round 1",
      rows: [
        ["looked for", ["It looked for “quantum computing” (sessions); “fraud” (speakers)."]],
        [
          "missing",
          [
            "Nothing was found for “quantum computing” (sessions).",
            "It failed to look for “fraud” (speakers).",
          ],
        ],
        ["why", ["No title has these words"]],
        ["changed", ["It tried other words: “physics” (sessions)."]],
        ["the user read", ["Let me try related subjects."]],
        ["came back", ["2 passages for “physics”."]],
      ],
    },
  ])
  expect(JSON.stringify(described)).not.toMatch(/search_documents|query|search_1/)
})

it("a reflection that left the plan as it was is not described", () => {
  expect(describedReflections(events({ difference: [] }))).toEqual([])
})
