/** Implements `planloom prompt`: the request that a stage's model would get. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import type { LoadedWorkflow, Pipeline } from "@planloom/core"
import type { InputFlags, ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { suggestion } from "../project/nearest.ts"
import { withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"
import { openExistingRuns } from "../run/projectRuns.ts"
import { readUser } from "../run/readUser.ts"
import { promptsOf } from "../run/recording.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { visible, wrap } from "../terminal/text.ts"
import { captureRequest } from "./captureRequest.ts"
import { openIn, placesOf, type Place } from "./PromptStage.ts"
import { promptText } from "./promptText.ts"
import { shownPrompt } from "./ShownPrompt.ts"

export interface PromptFlags extends InputFlags, ReadingFlags {
  readonly workflow: string
  readonly stage: string
  readonly output: ReadonlyArray<string>
  readonly mode: string | undefined
  readonly diff: boolean
  readonly json: boolean
}

export const showStagePrompt: Handler<PromptFlags> = (flags) =>
  withLoaded(flags.workflow, flags, (loaded, file) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { definition, pipeline } = loaded
        const place = yield* placeOf(pipeline, flags.stage)
        const model = yield* modelOf(pipeline, place, flags)
        const outputs = yield* outputsOf(pipeline, flags.output)
        const inputs = yield* readInputs(definition.name, definition.inputs, flags)
        const user = yield* readUser(loaded, flags)
        const store = yield* openExistingRuns(dirname(file))
        const prompts = store && (yield* promptsOf(store))
        const { mode } = flags
        const captured = yield* captureRequest(loaded, place, {
          inputs,
          mode,
          outputs,
          prompts,
          user,
        })
        for (const warning of captured.warnings)
          say(wrap(stderr.style.warn(visible(warning)), textWidth(stderr)).join("\n"))
        const prompt = yield* shownPrompt(captured, model, pipeline.facts)
        const heading = {
          workflow: definition.name,
          path: place.path,
          uses: place.work!.uses,
          open: openIn(place, outputs),
        }
        print(
          flags.json
            ? promptJson(heading, prompt, flags.diff)
            : promptText(heading, prompt, flags.diff, stdout.style, textWidth(stdout)),
        )
        return "ok" as ExitName
      }),
    ).pipe(Effect.catchTag("StoreFailed", ({ message }) => Effect.fail(problem(message)))),
  )

/** The names are stable. */
const promptJson = (
  { open, path, uses, workflow }: Parameters<typeof promptText>[0],
  { hooks, request, ...prompt }: Parameters<typeof promptText>[1],
  withDiff: boolean,
): string =>
  JSON.stringify(
    {
      workflow,
      stage: path,
      uses,
      without_value: open,
      ...prompt,
      ...(withDiff ? { hooks: hooks.map(({ after: _, before: __, ...one }) => one) } : {}),
      request,
    },
    null,
    2,
  )

/** By path, or by an id that only one stage has. */
const placeOf = (pipeline: Pipeline, stage: string): Effect.Effect<Place, Refused> => {
  const places = placesOf(pipeline)
  const found =
    places.find(({ path }) => path === stage) ??
    places.find(({ nodes }) => nodes.at(-1)!.id === stage)
  return found === undefined
    ? Effect.fail(
        usage(
          `${pipeline.name} has no stage "${stage}"`,
          suggestion(
            stage,
            places.map(({ path }) => path),
          ),
        ),
      )
    : Effect.succeed(found)
}

/** The first model that the stage asks. */
const modelOf = (
  pipeline: Pipeline,
  { path, work }: Place,
  { mode }: PromptFlags,
): Effect.Effect<string, Refused> => {
  const asking = placesOf(pipeline).filter(
    (one) => one.work?.model !== undefined && one.work.kind.model !== undefined,
  )
  const help =
    asking.length === 0
      ? undefined
      : `stages that ask one: ${asking.map((one) => one.path).join(", ")}`
  if (work === undefined) {
    return Effect.fail(usage(`"${path}" contains stages and asks no model itself`, help))
  }
  const { kind, model, uses } = work
  if (kind.model === undefined) {
    return Effect.fail(usage(`"${path}" uses ${uses}, which asks no model`, help))
  }
  const first = model?.choices[0]
  if (first === undefined) {
    return Effect.fail(
      problem(`no model is configured for "${path}"`, "set `model:` of the stage, or `defaults:`"),
    )
  }
  return mode !== undefined && work.prompt === undefined
    ? Effect.fail(usage(`"${path}" has no prompt, and so no mode`, "set `prompt:` of the stage"))
    : Effect.succeed(first.name)
}

/** Results of other stages, of `--output`. */
const outputsOf = (
  { stageIds }: LoadedWorkflow["pipeline"],
  given: ReadonlyArray<string>,
): Effect.Effect<ReadonlyMap<string, Json>, Refused> =>
  Effect.gen(function* () {
    const outputs = new Map<string, Json>()
    for (const text of given) {
      const equals = text.indexOf("=")
      const id = text.slice(0, equals)
      if (equals < 1) return yield* usage(`--output expects stage=JSON, not "${text}"`)
      if (!stageIds.includes(id)) {
        return yield* usage(`there is no stage "${id}" to give a result`, suggestion(id, stageIds))
      }
      const value = text.slice(equals + 1)
      outputs.set(
        id,
        yield* Effect.try({
          try: () => JSON.parse(value) as Json,
          catch: (error) =>
            usage(`--output ${id} is no JSON: ${(error as Error).message}`, `${id}='"text"'`),
        }),
      )
    }
    return outputs
  })
