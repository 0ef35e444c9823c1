/** Accepts a run of the edit loop as a test in the file beside the workflow. The test passes, or nothing is written. */
import { readFile } from "node:fs/promises"
import { basename, relative } from "node:path"
import type { JsonObject } from "@planloom/plugin/effect"
import { acceptedTest, type TestSettings } from "./loop/acceptedTest.ts"
import { withTest } from "./loop/withTest.ts"
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
    const shown = relative(".", file)
    const { keepPassing } = yield* Effect.promise(() => import("@planloom/testing"))
    const load = yield* pluginOptions
    let problem: string | undefined
    for (const stubs of ways) {
      const test = acceptedTest(run, settings, stubs)
      const text = withTest(before, basename(path), test)
      if (text === undefined) return `\`tests\` of ${shown} is not a list with one item a line`
      problem = yield* keepPassing(file, text, test.name, { load })
      if (problem !== undefined) continue
      const { length } = test.expect["assert"] as ReadonlyArray<string>
      const note =
        personal.length === 0 ? "" : `; it holds the personal input ${personal.join(", ")}`
      return `accepted: the test "${test.name}" is in ${shown} and passes (${plural(length, "expectation")})${note}`
    }
    return `not accepted: ${problem}`
  })

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
