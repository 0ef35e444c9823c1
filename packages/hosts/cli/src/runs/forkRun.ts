/** Implements `planloom runs fork`: starts a new run that reuses another run's results before a stage. */
import type { JsonObject, JsonSchema, RecordedRun } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"
import { withNamedFiles } from "../run/namedFiles.ts"
import { readUser } from "../run/readUser.ts"
import type { RunDefinition } from "../run/recording.ts"
import type { DisplayFlags } from "../run/runWorkflow.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { notGiven } from "./personalInputs.ts"
import { asRefused, definitionOfRun, resumeRecorded } from "./recordedRun.ts"
import { unknownStage } from "./resetRun.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface ForkFlags extends DisplayFlags, InputFlags {
  readonly id: string
  readonly from: string
  readonly set: ReadonlyArray<string>
}

export const forkRun: Handler<ForkFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      const before = yield* definitionOfRun(store, record.run)
      const after: RunDefinition = {
        ...before,
        flags: { ...before.flags, set: [...before.flags.set, ...flags.set] },
      }
      return yield* withDefinition(before, (old) =>
        withDefinition(after, (loaded) =>
          asRefused(
            Effect.gen(function* () {
              const inputs = yield* changedInputs(loaded, record.inputs as JsonObject, flags)
              const { forkOf } = yield* Effect.promise(() => import("@planloom/record/reset"))
              const {
                Personal,
                digestPersonal,
                missingPersonal,
                refusedInputs,
                scrubber,
                startedWith,
              } = yield* Effect.promise(() => import("@planloom/core/internal"))
              const missing = missingPersonal(loaded.definition.inputs, inputs)
              if (missing.length > 0) return yield* notGiven(missing)
              const started = yield* startedWith(store, record)
              const changed = yield* refusedInputs(
                started,
                pick(inputs, Object.keys(started.personalDigests)),
              )
              const user = yield* readUser(loaded, flags, record)
              const personal = new Personal(loaded.definition.inputs, inputs, user ?? {})
              const named = yield* withNamedFiles(
                loaded,
                newIn(inputs, record.inputs as JsonObject),
                after.flags,
              )
              const kept = personal.inputs(inputs)
              const recorded = yield* store.read(record.run)
              const run = crypto.randomUUID()
              const forked = yield* Effect.catchTag(
                forkOf(old.pipeline, recorded, {
                  run,
                  from: flags.from,
                  inputs: (scrubber(loaded.secrets)?.(kept) ?? kept) as JsonObject,
                  personalDigests: yield* digestPersonal(personal.names, inputs),
                  at: Date.now(),
                  definition: { ...after, flags: named.flags } as unknown as JsonObject,
                }),
                "StageUnknown",
                (unknown) => Effect.fail(unknownStage(unknown)),
              )
              yield* mustStayValid(
                old,
                loaded,
                record.inputs as JsonObject,
                forked,
                changed.map(({ input }) => input),
              )
              yield* store.write(forked)
              if (!flags.quiet && !flags.json) {
                say(stderr.style.dim(`new run ${run}, from ${flags.from} on`))
              }
              return yield* resumeRecorded(
                store,
                named.loaded,
                { run, inputs },
                { ...flags, by: undefined },
                true,
              )
            }),
          ),
        ),
      )
    }),
  )

/** Reads the new inputs; the others stay as recorded. */
const changedInputs = (
  { definition }: LoadedWorkflow,
  before: JsonObject,
  flags: InputFlags,
): Effect.Effect<JsonObject, Refused> => {
  const declared = Object.fromEntries(
    Object.entries(definition.inputs).map(([name, schema]): readonly [string, JsonSchema] => [
      name,
      name in before && typeof schema === "object"
        ? { ...schema, default: before[name] ?? null }
        : schema,
    ]),
  )
  return Effect.map(readInputs(definition.name, declared, flags), (given) => ({
    ...before,
    ...given,
  }))
}

const pick = (inputs: JsonObject, names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)))

/** Inputs whose value the record does not have: the person who forks gives them. */
const newIn = (inputs: JsonObject, before: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(inputs).filter(([name, value]) => before[name] !== value))

/** Refuses if the changed workflow or inputs would change a reused stage. */
const mustStayValid = (
  old: LoadedWorkflow,
  loaded: LoadedWorkflow,
  before: JsonObject,
  forked: RecordedRun,
  changedPersonal: ReadonlyArray<string>,
): Effect.Effect<void, Refused> =>
  Effect.gen(function* () {
    const { forkConflict } = yield* Effect.promise(() => import("@planloom/record/reset"))
    const conflict = forkConflict(old, loaded, before, forked, changedPersonal)
    if (conflict === undefined) return
    const { stage } = conflict
    yield* problem(
      "parts" in conflict
        ? `the stage "${stage}" would be reused, but its ${conflict.parts.join(" and ")} has changed`
        : `the stage "${stage}" would be reused, but it reads the input "${conflict.input}", which has changed`,
      `fork from it: --from ${stage}`,
    )
  })
