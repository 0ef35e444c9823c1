/** Reviews as a metric. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { expect, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { RunMetrics } from "./RunMetrics.ts"

it("counts reviews by reviewer, verdict and cause", () => {
  const metrics = new RunMetrics()
  const { event } = metrics.observe({ workflow: "chat" } as Parameters<RunMetrics["observe"]>[0])
  const reviewed = (cause: string, verdict: string) =>
    ({ type: "Reviewed", at: 0, stage: "reply", reviewer: "judge", cause, verdict }) as RunEvent
  for (const one of [
    reviewed("verdict", "pass"),
    reviewed("verdict", "pass"),
    reviewed("timeout", "block"),
  ]) {
    event?.(one)
  }
  const counted = Effect.runSync(Effect.provideContext(Metric.snapshot, metrics.context))
  expect(
    counted.map(({ attributes = {}, id, state }) => [
      id,
      (attributes as { [name: string]: string })["planloom.review.verdict"],
      (attributes as { [name: string]: string })["planloom.review.cause"],
      (state as { readonly count: number }).count,
    ]),
  ).toEqual([
    ["planloom.reviews", "pass", "verdict", 2],
    ["planloom.reviews", "block", "timeout", 1],
  ])
})
