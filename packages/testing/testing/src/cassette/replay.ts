/** Answers what a run calls from a recording; a call that is not on it, or that asks something else, is an error. */
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  replayed,
  StageFailed,
  ToolFailed,
  type Failure,
  type Json,
  type StoreFailed,
} from "@planloom/plugin/effect"
import { suggest } from "@planloom/expression/suggestion"
import type { Cassette } from "@planloom/core"
import type { CassetteCall } from "@planloom/core/internal"
import { difference } from "./difference.ts"
import { aboutOf, callName, type Entry } from "./Entry.ts"
import { read, type Calls } from "./folder.ts"
import type { CassetteOptions } from "./record.ts"

export const player = (
  folder: string,
  { scrub = (value) => value }: CassetteOptions,
): Effect.Effect<Cassette, StoreFailed> =>
  Effect.map(
    Effect.tryPromise({ try: () => read(folder), catch: (error) => error as StoreFailed }),
    (calls) => playing(folder, calls, scrub),
  )

const playing = (folder: string, calls: Calls, scrub: (value: Json) => Json): Cassette => {
  const entries = new Map(
    [...calls].map(([path, list]) => [path, new Map(list.map((entry) => [entry.call, entry]))]),
  )
  const asked = new Set<Entry>()
  const problems: Array<string> = []
  const refuse = (call: CassetteCall, problem: string) => {
    problems.push(problem)
    return Effect.fail(failureOf(call, problem))
  }
  return {
    replays: true,
    call: <A extends Json, E extends Failure, R>(call: CassetteCall) =>
      Effect.suspend(() => {
        const name = callName(call)
        const stage = entries.get(call.path)
        const entry = stage?.get(name)
        if (entry === undefined) {
          const near = stage === undefined ? undefined : suggest(name, stage.keys())
          const there =
            stage === undefined
              ? `nothing of ${call.path} was recorded`
              : `of ${call.path} were recorded: ${[...stage.keys()].join(", ")}`
          return refuse(
            call,
            `${folder} has no recording of ${name} of ${call.path}; ${near === undefined ? there : `the nearest is ${near}`}. Record it anew with --record`,
          )
        }
        asked.add(entry)
        const now = scrub(aboutOf(call))
        if (!isDeepStrictEqual(entry.about, now)) {
          return refuse(
            call,
            `${folder} is stale: ${name} of ${call.path} asks something else than when it was recorded\n${difference(entry.about, now)}\nRecord it anew with --record`,
          )
        }
        // It was broken off then, and whatever broke it off will do so again.
        return entry.step === undefined ? Effect.never : replayed(entry.step)
      }) as Effect.Effect<unknown, unknown> as Effect.Effect<A, E, R>,
    problems: (ended) => {
      if (!ended || problems.length > 0) return problems
      return [...entries].flatMap(([path, stage]) =>
        [...stage.values()].flatMap((entry) =>
          asked.has(entry) || entry.step === undefined
            ? []
            : [`${folder} is stale: the run did not make the call ${entry.call} of ${path}`],
        ),
      )
    },
    save: () => Effect.void,
  }
}

/** Of a class that no other model, no retry and no mechanical way answers. */
const failureOf = ({ about }: CassetteCall, message: string): Failure => {
  const record = { class: "store" as const, message }
  if (typeof about["tool"] === "string") return new ToolFailed({ ...record, tool: about["tool"] })
  if (typeof about["model"] === "string") {
    return new ModelFailed({ ...record, model: about["model"] })
  }
  return new StageFailed(record)
}
