/** A world of a test: files, scripted models, tools and people, in which a workflow runs in virtual time. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import {
  MemoryConcurrencyLimiter,
  MemoryRateLimiter,
  memorySessions,
  run,
  type RunOptions,
} from "@planloom/core"
import { load } from "@planloom/embed"
import type { LoadOptions } from "@planloom/language"
import type { Components, Json, JsonObject, Part, Plugin, RunEvent } from "@planloom/plugin/effect"
import { definePlugin } from "@planloom/plugin/effect"
import { scriptedProvider, stubTools, type ListedStub, type ScriptedReply } from "@planloom/testing"
import hooks from "@planloom/hooks"
import { embedded } from "@planloom/retrieval"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import { nothing, type Observation } from "./Observation.ts"
import { VirtualClock } from "./VirtualClock.ts"
import { work } from "./work.ts"

export interface World {
  /** By path; a text is written as given, anything else as JSON, which is YAML. `flow.yaml` is the workflow. */
  readonly files: { readonly [path: string]: Json }
  /** Replies of the models of the provider `scripted`, in order. */
  readonly replies?:
    | ReadonlyArray<ScriptedReply>
    | { readonly [model: string]: ReadonlyArray<ScriptedReply> }
  readonly tools?: { readonly [tool: string]: ListedStub }
  readonly components?: () => Components
  /** Inputs of one run after another, all of one session where the workflow has one; one run without inputs unless given. */
  readonly turns?: ReadonlyArray<JsonObject>
  /** How many runs start at the same time for each turn. */
  readonly together?: number
  readonly user?: JsonObject
  /** Answers to questions by the path of their stage. */
  readonly answers?: { readonly [stage: string]: Json }
  readonly load?: LoadOptions
  /** Observes the folder of the files in another way than by running `flow.yaml`. */
  readonly observe?: (folder: string) => Promise<Partial<Observation>>
}

/** Epoch seconds at which all files of a world have changed. */
const WRITTEN = 1_750_000_000

/** The folder of a world stands for this name in what is observed. */
const FOLDER = "/world"

export const observe = async (world: World): Promise<Observation> => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-keys-"))
  try {
    for (const [path, content] of Object.entries(world.files)) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
      // Results may say when a file has changed.
      utimesSync(file, WRITTEN, WRITTEN)
    }
    const seen =
      world.observe === undefined
        ? await observeRuns(world, folder)
        : { ...nothing, ...(await world.observe(folder)) }
    const text = JSON.stringify(seen).replaceAll(folder, FOLDER)
    return JSON.parse(withoutDigests(text)) as Observation
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The text without digests of approvals: they are salted, differ from run to run, and are in names in part. */
const withoutDigests = (text: string): string =>
  text
    .replaceAll(/"digest":"[0-9a-f]+"/g, '"digest":""')
    .replaceAll(/(approval:\d+):[0-9a-f]+/g, "$1")

/** Loads and runs the workflow of a folder for every turn. */
export const observeRuns = async (world: World, folder: string): Promise<Observation> => {
  const provider = scriptedProvider(world.replies ?? [])
  const tools = stubTools(world.tools ?? {})
  const { stages: more = [], ...components } = world.components?.() ?? {}
  const plugin: Plugin = definePlugin({
    id: "world",
    summary: "Models, tools and stage kinds of a test.",
    components: {
      ...components,
      providers: [provider, ...(components.providers ?? [])],
      tools: [tools, ...(components.tools ?? [])],
      stages: [work(), ...more],
      indexes: components.indexes ?? [embedded],
    },
  })
  const clock = new VirtualClock()
  const events: Array<RunEvent> = []
  const parts: Array<Part> = []
  const ends: Array<JsonObject> = []
  const workspace = join(folder, ".planloom", "work")
  const shared: RunOptions = {
    concurrencyLimiter: new MemoryConcurrencyLimiter(),
    rateLimiter: new MemoryRateLimiter(),
    sessions: memorySessions(),
    workspace,
    onEvent: (event) => void events.push(event),
    onPart: (part) => void parts.push(part),
    ...(world.user === undefined ? {} : { user: world.user }),
    answer: ({ path }) => Effect.succeed(world.answers?.[path]),
  }
  const program = Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(join(folder, "flow.yaml"), {
        extraPlugins: [stages, hooks, shadow, plugin],
        secret: () => undefined,
        flag: () => undefined,
        ...world.load,
      })
      for (const [turn, inputs] of (world.turns ?? [{}]).entries()) {
        const runs = Array.from({ length: world.together ?? 1 }, (_, index) =>
          run(pipeline, inputs, {
            ...shared,
            run: `run_${turn}_${index}`,
            ...(pipeline.session === undefined ? {} : { session: "talk" }),
          }).pipe(
            Effect.catchTag("RunFailed", ({ result }) => Effect.succeed(result)),
            Effect.map(({ degraded, failure, outputs, status, usage, waits }) => {
              const at = clock.currentTimeMillisUnsafe()
              ends.push({ at, degraded, failure, outputs, status, usage, waits } as never)
            }),
            Effect.catchTag("InputsRejected", ({ message }) =>
              Effect.sync(() => ends.push({ rejected: message })),
            ),
          ),
        )
        yield* Effect.all(runs, { concurrency: "unbounded" })
      }
    }),
  ).pipe(
    Effect.catchTag("WorkflowInvalid", ({ diagnostics }) =>
      Effect.succeed(
        diagnostics
          .filter(({ severity }) => severity === "error")
          .map(({ code, message, start }) => `${code} ${start.line}:${start.col} ${message}`),
      ),
    ),
    Effect.provideService(Clock.Clock, clock),
    Random.withSeed("keys"),
  )
  const refused = await Effect.runPromise(program)
  if (refused !== undefined) return { ...nothing, refused }
  return {
    requests: provider.requests,
    calls: tools.calls,
    events,
    parts,
    ends,
    ms: clock.currentTimeMillisUnsafe(),
    shown: written(workspace),
  }
}

/** Files that tools and stages wrote. */
const written = (folder: string): ReadonlyArray<Json> => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => ({ path, text: readFileSync(path, "utf8") }))
  } catch {
    return []
  }
}
