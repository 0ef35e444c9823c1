import { InputsRejected, type RunResult } from "@planloom/core"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { styleOf } from "../terminal/Style.ts"
import { endedText } from "./endedText.ts"

it.each([
  ["user", "--user …"],
  ["inputs", "--input …"],
] as const)("a run that lacks its %s is reported with the flag that gives it", (subject, flag) => {
  const failure = new InputsRejected({ workflow: "w", subject, message: "is missing", issues: [] })
  const text = endedText(
    { run: "r", workflow: "w", exit: Exit.fail(failure), notBefore: Number.POSITIVE_INFINITY },
    styleOf(false),
    false,
  )
  expect(text).toContain(`is missing: planloom runs resume r ${flag}`)
})

it("the outcome of a run is reported only where outcomes are requested", () => {
  const exit = Exit.succeed({ status: "succeeded", waits: [] } as Partial<RunResult> as RunResult)
  const text = (outcomes: boolean) =>
    endedText({ run: "r", workflow: "w", exit }, styleOf(false), outcomes)
  expect(text(true)).toMatch(/r {2}w {2}succeeded$/)
  expect(text(false)).toBeUndefined()
})

it("a run that failed is reported only where outcomes are requested", () => {
  const exit = Exit.fail({ message: "no answer" })
  const text = (outcomes: boolean) =>
    endedText({ run: "r", workflow: "w", exit }, styleOf(false), outcomes)
  expect(text(true)).toMatch(/r {2}w {2}failed: no answer$/)
  expect(text(false)).toBeUndefined()
})
