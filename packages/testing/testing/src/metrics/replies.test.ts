import { assert, describe, it } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { resultOf } from "@planloom/core"
import { repliesText } from "../report/repliesText.ts"
import { replyMetrics } from "./replies.ts"

type Rung = Extract<RunEvent, { readonly type: "ReplyRead" }>["rung"]

const report = (rungs: ReadonlyArray<Rung>) => {
  const result = resultOf(
    rungs.map((rung, seq): RunEvent => {
      return { type: "ReplyRead", seq, at: 0, path: "a", stage: "a", model: "m/m", rung }
    }),
  )
  return {
    file: "a.test.yaml",
    workflow: "a.yaml",
    diagnostics: [],
    sources: new Map(),
    tests: [{ test: "a", ok: true, failures: [], ms: 0, result }],
    skipped: 0,
    ms: 0,
  }
}

describe("how far replies had to go", () => {
  it("is summed over all runs", () => {
    const metrics = replyMetrics([report(["direct", "salvaged"]), report(["repaired", "failed"])])
    assert.deepEqual(metrics, {
      direct: 1,
      salvaged: 1,
      repaired: 1,
      failed: 1,
      parse_success_rate: 0.5,
    })
    assert.strictEqual(
      repliesText(metrics),
      "  replies usable at once         50 %  1 as they were, 1 fixed, 1 asked again, 1 failed\n",
    )
  })

  it("is nothing where no model was asked for JSON", () => {
    assert.strictEqual(repliesText(replyMetrics([report([])])), "")
  })
})
