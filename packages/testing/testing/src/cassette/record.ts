/** Records what a run calls. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { recordedStep, type Failure, type Json, type StoreFailed } from "@planloom/plugin/effect"
import type { Cassette } from "@planloom/core"
import { aboutOf, callName, type Entry } from "./Entry.ts"
import { prepare, write } from "./folder.ts"

export interface CassetteOptions {
  /** Takes secrets out of everything that is written, and out of what is compared. */
  readonly scrub?: ((value: Json) => Json) | undefined
}

export const recorder = (
  folder: string,
  workflow: string,
  { scrub = (value) => value }: CassetteOptions,
): Effect.Effect<Cassette, StoreFailed> => {
  const calls = new Map<string, Map<string, Entry>>()
  const keep = (path: string, entry: Entry) => {
    let stage = calls.get(path)
    if (stage === undefined) calls.set(path, (stage = new Map()))
    stage.set(entry.call, entry)
  }
  const cassette = (replaces: boolean): Cassette => ({
    replays: false,
    problems: () => [],
    call: (call, live) =>
      Effect.onExit(live, (exit) =>
        Effect.sync(() => {
          const step = recordedStep(exit as Exit.Exit<Json, Failure>)
          keep(call.path, {
            call: callName(call),
            about: scrub(aboutOf(call)) as Entry["about"],
            step:
              step === undefined
                ? undefined
                : (scrub(JSON.parse(JSON.stringify(step)) as Json) as unknown as Entry["step"]),
          })
        }),
      ),
    save: (cancelled) =>
      // A complete recording is not replaced by an incomplete one.
      cancelled && replaces
        ? Effect.void
        : Effect.tryPromise({
            try: () =>
              write(
                folder,
                workflow,
                new Map(
                  [...calls].map(([path, entries]) => [
                    path,
                    [...entries.values()].filter(({ step }) => !cancelled || step !== undefined),
                  ]),
                ),
              ),
            catch: (error) => error as StoreFailed,
          }),
  })
  return Effect.map(
    Effect.tryPromise({ try: () => prepare(folder), catch: (error) => error as StoreFailed }),
    cassette,
  )
}
