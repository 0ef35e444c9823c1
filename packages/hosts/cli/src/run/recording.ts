/** Opens the store that records a run, with the definition needed to resume it. */
import { dirname } from "node:path"
import type {
  Json,
  JsonObject,
  Retention,
  RunEvent,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import type { LoadedWorkflow, RunOptions } from "@planloom/core"
import type { PrunedReviews } from "@planloom/shadow/queue"
import type { ReadingFlags } from "../commands/options.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { openRuns } from "./projectRuns.ts"
import { OUTPUTS } from "./writeOutputs.ts"

export interface RunRecording {
  readonly options: Pick<
    RunOptions,
    "by" | "definition" | "epoch" | "models" | "onUnrecorded" | "prompts" | "run" | "session"
  > & {
    readonly store: RunStore
  }
  /** Events of the run before it is resumed. */
  readonly earlier: ReadonlyArray<RunEvent>
}

/** The workflow that a run started with. */
export interface RunDefinition {
  readonly file: string
  readonly texts: { readonly [path: string]: string }
  readonly flags: ReadingFlags
  /** It was read from the file of an exported run, which a stranger may have written. */
  readonly imported?: true
}

export type Loaded = LoadedWorkflow & Pick<Checked, "sources">

/** Opens the store. If that fails, the run starts unrecorded, unless --store or --session is given. */
export const withRecording = <A>(
  flags: ReadingFlags & {
    readonly store: boolean | undefined
    readonly workflow: string
    readonly session?: string | undefined
  },
  loaded: Loaded,
  use: (recording: RunRecording | undefined) => Effect.Effect<A, Refused>,
): Effect.Effect<A, Refused> => {
  const { session } = flags
  if (flags.store === false) {
    return session === undefined
      ? use(undefined)
      : Effect.fail(usage("--session needs the store that --no-store disables", "omit one of them"))
  }
  return Effect.scoped(
    Effect.matchEffect(openRuns(dirname(fileOf(loaded))), {
      onFailure: (failure) => {
        if (failure._tag === "Refused") return Effect.fail(failure)
        const { message } = failure
        if (flags.store === true || session !== undefined)
          return Effect.fail(problem(message, "--no-store records nothing"))
        say(stderr.style.warn(`the run is not recorded: ${message}`))
        return use(undefined)
      },
      onSuccess: (store) =>
        Effect.ensuring(
          Effect.flatMap(keptIn(store), (kept) =>
            use({
              earlier: [],
              options: {
                store,
                definition: definitionOf(flags, loaded),
                onUnrecorded,
                ...kept,
                ...(session === undefined ? {} : { session }),
              },
            }),
          ),
          pruneByPolicy(store, loaded.keep),
        ),
    }),
  )
}

/** Values of a store that replace parts of workflow files, as options of a run and of the API; empty if it keeps none. */
export const keptIn = (store: RunStore) =>
  Effect.map(Effect.all([promptsOf(store), swapsOf(store)]), ([prompts, models]) => ({
    ...(prompts === undefined ? {} : { prompts }),
    ...(models === undefined ? {} : { models }),
  }))

/** Swaps of models in the store; undefined if it keeps no values. */
export const swapsOf = (store: RunStore) =>
  Effect.promise(async () => (await import("@planloom/record/models")).KeptSwaps.of(store))

/** Versions of prompts in the store; undefined if it keeps no values. */
export const promptsOf = (store: RunStore) =>
  Effect.promise(async () => (await import("@planloom/record/prompts")).PromptRegistry.of(store))

/** Prunes runs by the workflow's `keep` policy; called after a run, so that the run counts. */
export const pruneByPolicy = (store: RunStore, keep: Loaded["keep"]): Effect.Effect<void> =>
  keep === undefined
    ? Effect.void
    : Effect.matchEffect(
        pruned(store, {
          ...(keep.age === undefined ? {} : { before: Date.now() - keep.age }),
          ...(keep.count === undefined ? {} : { keep: keep.count }),
        }),
        {
          onFailure: ({ message }) =>
            Effect.sync(() => say(stderr.style.warn(`old runs were not deleted: ${message}`))),
          onSuccess: () => Effect.void,
        },
      )

export interface Pruned {
  readonly runs: ReadonlyArray<string>
  readonly reviews: PrunedReviews
}

/** Removes the files of runs that are no longer recorded, and reports those that stay. */
export const removeFiles = (runs: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { removeRunFolders, WORKSPACE } = await import("@planloom/core/internal")
    for (const root of [WORKSPACE, OUTPUTS]) {
      for (const { folder, message } of await removeRunFolders(root, runs)) {
        say(stderr.style.warn(`${folder} was not removed: ${message}`))
      }
    }
  })

/** Prunes runs with their files and their decided reviews, and reports the files that cannot be removed. */
export const pruned = (store: RunStore, retention: Retention): Effect.Effect<Pruned, StoreFailed> =>
  Effect.gen(function* () {
    const { pruneRuns } = yield* Effect.promise(() => import("@planloom/record"))
    const { WORKSPACE } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const { remaining, runs } = yield* pruneRuns(store, retention, [WORKSPACE, OUTPUTS])
    for (const { folder, message } of remaining) {
      say(stderr.style.warn(`${folder} was not removed: ${message}`))
    }
    const { REVIEWS, ReviewQueue } = yield* Effect.promise(() => import("@planloom/shadow/queue"))
    const entries = store.collection?.(REVIEWS)
    const reviews =
      entries === undefined
        ? { deleted: [], undecided: [] }
        : yield* new ReviewQueue(entries).prune(runs, retention.before)
    return { runs, reviews }
  })

export const onUnrecorded = ({ message }: StoreFailed): void =>
  say(stderr.style.warn(`the end of the run is not recorded: ${message}`))

/** The workflow's own file, which is read first. */
const fileOf = ({ sources }: Pick<Loaded, "sources">): string => [...sources.keys()][0]!

/** The recorded definition, with flags resolved, because the environment may differ when the run is resumed. */
export const definitionOf = (
  { env, files = [], set }: ReadingFlags,
  { definition, sources }: Loaded,
): Json => {
  const flag = Object.entries(definition.flags).map(
    ([name, { value }]) => `${name}=${String(value)}`,
  )
  return {
    file: fileOf({ sources }),
    texts: Object.fromEntries([...sources].map(([path, { text }]) => [path, text])),
    flags: {
      set,
      ...(env === undefined ? {} : { env }),
      ...(flag.length === 0 ? {} : { flag }),
      ...(files.length === 0 ? {} : { files }),
    },
  }
}

export const readDefinition = (definition: Json | undefined): RunDefinition | undefined => {
  const given = definition as JsonObject | null | undefined
  // Null was recorded where a file holds the value of a secret.
  if (typeof given?.["file"] !== "string") return undefined
  const { env, files, flag, set } = given["flags"] as {
    env?: string
    files?: ReadonlyArray<string>
    flag?: ReadonlyArray<string>
    set: ReadonlyArray<string>
  }
  const isImported = given["imported"] === true
  return {
    file: given["file"],
    texts: given["texts"] as RunDefinition["texts"],
    // No person here named the files of an imported run.
    flags: { set, env, flag: flag ?? [], ...(files === undefined || isImported ? {} : { files }) },
    ...(isImported ? { imported: true } : {}),
  }
}
