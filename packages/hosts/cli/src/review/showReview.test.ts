/** What `planloom review show` prints of a review. */
import type { QueuedReview } from "@planloom/shadow/queue"
import { expect, it } from "vitest"
import { reviewText } from "./showReview.ts"

const finding = (reviewer: string, verdict: "pass" | "replace", reason: string) =>
  ({ reviewer, cause: "verdict", verdict, confidence: 1, reason }) as const

it("the findings of a reviewer that read the text again stand together under its name", () => {
  const review: QueuedReview = {
    id: "r/say/1",
    state: "open",
    version: 1,
    item: {
      at: 0,
      run: "r",
      path: "say",
      stage: "say",
      request: "",
      written: "Write to [email].",
      verdict: "replace",
      findings: [
        finding("pii", "replace", "an address"),
        finding("tone", "pass", "polite"),
        finding("pii", "pass", "nothing found"),
      ],
      config: "c",
    },
  }
  const lines = reviewText(review).split("\n")
  const at = lines.findIndex((line) => line.startsWith("pii"))
  expect(lines.slice(at, at + 3).map((line) => line.trim())).toEqual([
    "pii       replace, confidence 1: an address",
    "pass, confidence 1: nothing found",
    "tone      pass, confidence 1: polite",
  ])
})
