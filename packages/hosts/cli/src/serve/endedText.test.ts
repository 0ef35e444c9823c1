import { InputsRejected, type RunResult } from "@planloom/core"
import * as Exit from "effect/Exit"
import { expect, it } from "vitest"
import { styleOf } from "../terminal/Style.ts"
import { endedLine } from "./endedLine.ts"
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

it("every outcome is one line of JSON where programs read the log", () => {
  const line = (ended: Partial<Parameters<typeof endedLine>[0]>): unknown =>
    JSON.parse(endedLine({ run: "r\n", workflow: "w", ...ended } as never, 0)!)
  const common = { at: "1970-01-01T00:00:00.000Z", run: "r\n", workflow: "w" }
  const result = (status: string, waits: ReadonlyArray<object>) =>
    Exit.succeed({ status, waits } as never)
  expect(line({ exit: result("succeeded", []) })).toEqual({
    ...common,
    level: "info",
    outcome: "succeeded",
  })
  expect(line({ exit: result("suspended", [{ name: "ok" }]) })).toMatchObject({ waits: ["ok"] })
  const failed = { message: "no\nanswer", reason: { class: "timeout" } }
  expect(line({ exit: Exit.fail(failed) })).toEqual({
    ...common,
    level: "error",
    outcome: "failed",
    class: "timeout",
    message: "no\nanswer",
  })
  expect(line({ exit: Exit.fail(failed), notBefore: 1 })).toMatchObject({
    outcome: "not_resumed",
    next_attempt: "1970-01-01T00:00:00.001Z",
  })
  expect(line({ exit: Exit.fail(failed), notBefore: Number.POSITIVE_INFINITY })).toMatchObject({
    level: "warn",
    outcome: "needs_inputs",
  })
})
