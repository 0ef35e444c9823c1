/** Accepts a run of the edit loop as a test in the file beside the workflow. The test passes, or nothing is written. */
import { readFile, rm, writeFile } from "node:fs/promises"
import { basename, relative } from "node:path"
import type { JsonObject } from "@planloom/plugin/effect"
import { acceptedTest, withTest, type AcceptedTest, type TestSettings } from "@planloom/dev"
import type { TestFileReport } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { pluginOptions } from "../project/pluginOptions.ts"
import { loadOptions } from "../project/loadOptions.ts"
import type { Refused } from "../Refused.ts"
import { plural } from "../terminal/quantity.ts"
import type { DevFlags } from "./DevFlags.ts"
import type { LastRun } from "./EditLoop.ts"

/** Returns what was done, in one sentence. */
export const acceptRun = (last: LastRun, flags: DevFlags): Effect.Effect<string> =>
  Effect.catchTag(accepted(last, flags), "Refused", ({ message }) => Effect.succeed(message))

const accepted = (last: LastRun, flags: DevFlags): Effect.Effect<string, Refused> =>
  Effect.gen(function* () {
    const { path, run } = last
    const { status } = run.result
    if (status !== "succeeded" && status !== "failed" && status !== "clarification") {
      return `a run that is ${status} cannot be a test`
    }
    const settings = yield* settingsOf(last, flags)
    const file = path.replace(/\.ya?ml$/, ".test.yaml")
    const before = yield* Effect.promise(() => readFile(file, "utf8").catch(() => undefined))
    const effects = effectsOf(last)
    const personal = personalInputs(last)
    // Tools that only read run in the test if they give the same there, so that it also covers them.
    const ways = [
      (tool: string) => effects(tool) === "write",
      (tool: string) => effects(tool) !== "none",
    ]
    let problem = ""
    for (const stubs of ways) {
      const test = acceptedTest(run, settings, stubs)
      const tried = yield* tryTest(file, before, basename(path), test)
      if (typeof tried !== "string") {
        const shown = relative(".", file)
        const note =
          personal.length === 0 ? "" : `; it holds the personal input ${personal.join(", ")}`
        return `accepted: the test "${test.name}" is in ${shown} and passes (${plural(tried, "expectation")})${note}`
      }
      problem = tried
    }
    return `not accepted: ${problem}`
  })

/** The number of expectations of the test, which passes; or why it does not, with the file as it was. */
const tryTest = (
  file: string,
  before: string | undefined,
  workflow: string,
  test: AcceptedTest,
): Effect.Effect<number | string> =>
  Effect.gen(function* () {
    const text = withTest(before, workflow, test)
    if (text === undefined)
      return `\`tests\` of ${relative(".", file)} is not a list with one item a line`
    const { runWorkflowTest } = yield* Effect.promise(() => import("@planloom/testing"))
    const load = yield* pluginOptions
    yield* Effect.promise(() => writeFile(file, text))
    const report = yield* runWorkflowTest(file, { load, filter: test.name })
    const failure = failureOf(report, test.name)
    if (failure === undefined) return (test.expect["assert"] as ReadonlyArray<string>).length
    yield* Effect.promise(() => (before === undefined ? rm(file) : writeFile(file, before)))
    return failure
  })

/** Tests of longer names are run with it, and are not asked. */
const failureOf = ({ diagnostics, tests }: TestFileReport, name: string): string | undefined =>
  diagnostics.find(({ severity }) => severity === "error")?.message ??
  tests.find(({ test }) => test === name)?.failures[0]?.message

/** The flags of the command, as a test writes them. */
const settingsOf = ({ user }: LastRun, flags: DevFlags): Effect.Effect<TestSettings, Refused> =>
  Effect.map(loadOptions(flags), ({ environment, flags: values, set }) => ({
    user,
    env: environment,
    flags: values,
    set: set && Object.fromEntries(set.map(({ path, value }) => [path, value])),
  }))

const effectsOf =
  ({ loaded: { pipeline } }: LastRun) =>
  (tool: string): string =>
    pipeline.tools.get(tool)?.tool.effect ?? "write"

const personalInputs = ({ loaded, run }: LastRun): ReadonlyArray<string> =>
  Object.keys(run.inputs).filter(
    (name) => (loaded.definition.inputs[name] as JsonObject | undefined)?.["personal"] === true,
  )
