import { InputsRejected } from "@planloom/core"
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
  )
  expect(text).toContain(`is missing: planloom runs resume r ${flag}`)
})
