/** Runs a pipeline and keeps what a test wants to look at: the end, the events, what was told when. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import type { Pipeline } from "../src/pipeline/Pipeline.ts"
import type { RunResult } from "../src/run/RunResult.ts"
import { InputsRejected } from "../src/run/InputsRejected.ts"
import { run } from "../src/run/run.ts"
import { namesIn, namingJournal, strayNames } from "./strayNames.ts"
import type { RunOptions } from "../src/run/RunOptions.ts"

/**
 * The result whether the run succeeded or failed, with its events. Rejected inputs are a defect of the test. Each name that
 * is recorded or emitted consists of segments of the engine and of ids of the workflow.
 */
export const collect = (pipeline: Pipeline, inputs: JsonObject = {}, options: RunOptions = {}) =>
  Effect.suspend(() => {
    const events: Array<RunEvent> = []
    const names = new Set<string>()
    const { journal } = options
    const watched =
      journal === undefined
        ? options
        : { ...options, journal: namingJournal(journal, (name) => void names.add(name)) }
    return Effect.map(
      Effect.catch(
        run(pipeline, inputs, { ...watched, onEvent: (event) => void events.push(event) }),
        (error) =>
          error instanceof InputsRejected ? Effect.die(error) : Effect.succeed(error.result),
      ),
      (result: RunResult) => {
        const all = [...names, ...events.flatMap(namesIn)]
        assert.deepStrictEqual(strayNames(all, pipeline), [])
        return { result, events }
      },
    )
  })

/** What a failure said that users get without its words. */
export const unshownFailure = (events: ReadonlyArray<RunEvent>): string =>
  events
    .flatMap((event) =>
      event.type === "Noted" && event.note === "unshown_failure" ? [event.text ?? ""] : [],
    )
    .join("\n")

/** `type path` of every event, in order: enough to read the course of a run. */
export const course = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events.map((event) => ("path" in event ? `${event.type} ${event.path}` : event.type))
