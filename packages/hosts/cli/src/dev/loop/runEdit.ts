/** Runs a workflow once in the edit loop: calls that ask what an earlier run asked are answered from memory. */
import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Cause } from "effect/Cause"
import type { Json, JsonObject, RunEvent, Wait } from "@planloom/plugin/effect"
import { isBelow, outerNames } from "@planloom/plugin/segments"
import { run, RunFold } from "@planloom/core"
import type { AnswerNow, InputsRejected, LoadedWorkflow, Pipeline, RunResult } from "@planloom/core"
import type { CallMemory, MadeCall, MayWrite, Versions } from "./CallMemory.ts"
import { fromYaml } from "@planloom/language"
import { stagesOf, type StageEdit } from "./StageEdit.ts"

export interface EditOptions {
  readonly memory: CallMemory
  /** Digest of the code of a plugin, by its name; empty for an installed one. */
  readonly version: (plugin: string) => string
  /** Digest of the code of all plugins. */
  readonly code: string
  readonly user?: JsonObject | undefined
  readonly answer?: AnswerNow
  /** Answers of earlier runs, by question. */
  readonly answers: Map<string, Json>
  readonly mayWrite: MayWrite
  readonly onEvent?: (event: RunEvent) => void
  readonly workspace?: string
}

export interface EditRun {
  readonly result: RunResult
  readonly inputs: JsonObject
  /** In the order in which they started. */
  readonly stages: ReadonlyArray<StageEdit>
  readonly calls: ReadonlyArray<MadeCall>
  readonly events: ReadonlyArray<RunEvent>
  /** Milliseconds. */
  readonly ms: number
}

/** `texts` are those of the workflow and its files, by path, `files` the data that inputs name. */
export const runEdit = (
  loaded: LoadedWorkflow,
  inputs: JsonObject,
  options: EditOptions,
  texts: ReadonlyMap<string, string>,
  files: ReadonlyArray<string>,
): Effect.Effect<EditRun, InputsRejected> =>
  Effect.gen(function* () {
    const { answer, answers, memory, onEvent, user, workspace } = options
    const { pipeline, secrets } = loaded
    const given = yield* Effect.promise(() => digestOf(files))
    /** Questions that a person has answered in this run. */
    const asked = new Set<string>()
    const opened = memory.open({
      versions: versionsOf(loaded, options, texts, given),
      writes: (tool) => writes(pipeline, tool),
      mayWrite: (call) =>
        Effect.suspend(() =>
          [...asked].some((name) => isBelow(name, call.path))
            ? Effect.succeed(true)
            : options.mayWrite(call),
        ),
    })
    const events: Array<RunEvent> = []
    const fold = new RunFold()
    const began = performance.now()
    const exit = yield* Effect.exit(
      run(pipeline, inputs, {
        user,
        secrets,
        cassette: opened.cassette,
        journal: opened.journal,
        answer: remembered(answer, answers, asked),
        ...(workspace === undefined ? {} : { workspace }),
        onEvent: (event) => {
          events.push(event)
          fold.push(event)
          onEvent?.(event)
        },
      }),
    )
    const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
    if (error?._tag === "Some" && error.value._tag === "InputsRejected") {
      return yield* error.value
    }
    const result = Exit.isSuccess(exit) ? exit.value : fold.result()
    if (Exit.isFailure(exit) && result.status === "running") {
      return yield* Effect.failCause(exit.cause as Cause<never>)
    }
    opened.settle(result)
    const { calls } = opened
    const stages = stagesOf(result, calls, events)
    return { result, inputs, stages, calls, events, ms: performance.now() - began }
  })

/** Asks a question once, and gives the same answer in later runs. */
const remembered =
  (answer: AnswerNow | undefined, answers: Map<string, Json>, asked: Set<string>): AnswerNow =>
  (wait) =>
    Effect.suspend(() => {
      const key = questionOf(wait)
      const known = answers.get(key)
      if (known !== undefined) return Effect.succeed(known)
      return answer === undefined
        ? Effect.undefined
        : Effect.tap(answer(wait), (value) =>
            Effect.sync(() => {
              if (value === undefined) return
              answers.set(key, value)
              asked.add(wait.name)
            }),
          )
    })

/** The digest of an approval, which is a part of its name, differs from run to run. */
const questionOf = ({ digest, expiresAt: _, name, ...wait }: Wait): string =>
  JSON.stringify([digest === undefined ? name : outerNames(name).next().value, wait])

const versionsOf = (
  { pipeline, resources: { owners } }: LoadedWorkflow,
  { code, version }: EditOptions,
  texts: ReadonlyMap<string, string>,
  files: string,
): Versions => {
  const configs = configsIn(texts)
  /** Of a plugin: its code and its config. Of one that is not known: all code. */
  const ofPlugin = (owner: string | undefined) =>
    owner === undefined ? code : `${version(owner)} ${JSON.stringify(configs[owner]) ?? ""}`
  return {
    code,
    texts: hash("sha1", JSON.stringify([...texts])),
    model: (model) => ofPlugin(owners?.get(`providers/${model.split("/", 1)[0]}`)),
    tool: (name) => {
      const found = registeredIn(pipeline, name)
      const source = found?.source
      const owner = source && owners?.get(`tools/${source.id}`)
      const settings = found && [found.tool.params, found.tool.result, found.timeout]
      return JSON.stringify([ofPlugin(owner), files, settings])
    },
  }
}

/** Configs of plugins by name, from the project file among the texts. */
const configsIn = (texts: ReadonlyMap<string, string>): JsonObject => {
  for (const [path, text] of texts) {
    if (basename(path) !== "planloom.yaml") continue
    const { plugins } = (fromYaml(text) ?? {}) as { readonly plugins?: JsonObject }
    return plugins ?? {}
  }
  return {}
}

const writes = (pipeline: Pipeline, tool: string): boolean => {
  const found = registeredIn(pipeline, tool)
  return found === undefined || (found.tool.effect !== "none" && found.tool.effect !== "read")
}

const registeredIn = (pipeline: Pipeline, tool: string): RegisteredTool | undefined => {
  const own = (pipeline.liveTools?.snapshot().registry ?? pipeline.tools).get(tool)
  if (own !== undefined) return own
  for (const nested of pipeline.workflows.values()) {
    const found = registeredIn(nested, tool)
    if (found !== undefined) return found
  }
  return undefined
}

type RegisteredTool = NonNullable<ReturnType<Pipeline["tools"]["get"]>>

const digestOf = async (files: ReadonlyArray<string>): Promise<string> => {
  const digests = files.map(async (file) =>
    readFile(file).then(
      (data) => hash("sha1", data),
      () => "missing",
    ),
  )
  return (await Promise.all(digests)).join(" ")
}
