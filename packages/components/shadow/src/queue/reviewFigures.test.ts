/** Figures of reviewers from decisions. */
import { expect, it } from "vitest"
import type { Verdict } from "@planloom/plugin/effect"
import { reviewFigures } from "./reviewFigures.ts"
import type { QueuedFinding, QueuedReview } from "./ReviewItem.ts"

const review = (decided: Verdict | undefined, ...given: ReadonlyArray<Partial<QueuedFinding>>) =>
  ({
    id: "r/reply/1",
    state: "decided",
    version: 1,
    item: {
      at: 0,
      run: "r",
      path: "reply",
      stage: "reply",
      request: "",
      written: "",
      verdict: "flag",
      config: "",
      findings: given.map((one) => ({
        reviewer: "judge",
        cause: "verdict" as const,
        verdict: "pass" as const,
        confidence: 1,
        reason: "",
        ...one,
      })),
      ...(decided === undefined ? {} : { decision: { verdict: decided, by: "eve", at: 1 } }),
    },
  }) satisfies QueuedReview

it("reviewFigures counts agreement, precision and recall of decided items alone", () => {
  const figures = reviewFigures([
    review("block", { verdict: "block" }),
    review("block", { verdict: "flag" }),
    review("pass", { verdict: "block" }),
    review("replace", { verdict: "pass" }),
    review("pass", { verdict: "pass" }, { reviewer: "late", cause: "timeout", verdict: "flag" }),
    // It has read its own replacement again.
    review("replace", { verdict: "replace" }, { verdict: "pass" }),
    review("replace", { verdict: "pass" }, { cause: "timeout", verdict: "flag" }),
    review(undefined, { verdict: "block" }),
  ])
  expect(figures).toEqual([
    {
      reviewer: "judge",
      decided: 7,
      agreement: 3 / 7,
      precision: 3 / 4,
      recall: 3 / 5,
      failed: 1,
    },
    { reviewer: "late", decided: 0, agreement: null, precision: null, recall: null, failed: 1 },
  ])
})
