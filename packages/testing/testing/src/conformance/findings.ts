/** What every finding of a reviewer promises. */
import assert from "node:assert/strict"
import { verdicts, type Finding } from "@planloom/plugin/effect"
import { expectPlainData } from "./expectations.ts"

/** A finding about a text, as the contract describes it. */
export const expectFinding = (finding: Finding, text: string, what: string): void => {
  expectPlainData(finding, what)
  const { confidence, reason, spans = [], verdict } = finding
  assert.ok(verdicts.includes(verdict), `the verdict of ${what} is ${String(verdict)}`)
  assert.ok(confidence >= 0 && confidence <= 1, `the confidence of ${what} is ${confidence}`)
  assert.match(reason, /\S/, `${what} has no reason`)
  for (const { end, start } of spans) {
    assert.ok(
      Number.isInteger(start) && start >= 0 && start <= end && end <= text.length,
      `a span of ${what} is outside of the text: ${start} to ${end}`,
    )
  }
}
