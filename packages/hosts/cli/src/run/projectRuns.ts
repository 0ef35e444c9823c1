/** Opens the store that records the runs of a project. */
import { existsSync } from "node:fs"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { ProjectStore } from "@planloom/language"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { pluginOptions } from "../project/pluginOptions.ts"
import { problem, type Refused } from "../Refused.ts"
import { mayWrite } from "../trust/mayWrite.ts"

/** Plugin of the default store. */
export const SQLITE = "@planloom/store-sqlite"

/** The store of the project that the folder is in; refuses with the first problem of the project's choice. */
export const chosenStore = (folder: string): Effect.Effect<ProjectStore, Refused> =>
  Effect.gen(function* () {
    const options = yield* pluginOptions
    const { placeText, projectStore } = yield* Effect.promise(() => import("@planloom/language"))
    const { diagnostics, store } = yield* projectStore(folder, options)
    if (store !== undefined) {
      // A project file names the place, or links lead there.
      const file = yield* fileOf(store)
      if (file !== undefined) yield* mayWrite(file, { project: store.root })
      return store
    }
    const first = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0]!
    return yield* problem(`${placeText(first)} ${first.code} ${first.message}`, first.help)
  })

/** `folder` is in the project: that of the workflow to record, or the working folder. */
export const openRuns = (folder = ""): Effect.Effect<RunStore, Refused | StoreFailed, Scope> =>
  Effect.flatMap(chosenStore(folder), ({ open }) => open)

/** The same, but undefined where a SQLite store has no file yet: it is not created. */
export const openExistingRuns = (
  folder: string,
): Effect.Effect<RunStore | undefined, Refused | StoreFailed, Scope> =>
  Effect.gen(function* () {
    const store = yield* chosenStore(folder)
    const missing = yield* missingFile(store)
    return missing === undefined ? yield* store.open : undefined
  })

/** Opens the store of the working folder to read it: refuses where a SQLite store has no file yet, without creating one. */
export const openRecordedRuns: Effect.Effect<RunStore, Refused | StoreFailed, Scope> = Effect.gen(
  function* () {
    const store = yield* chosenStore("")
    const missing = yield* missingFile(store)
    if (missing === undefined) return yield* store.open
    return yield* problem(
      "no runs are recorded here",
      `planloom run <workflow> records runs in ${missing}`,
    )
  },
)

/** A copy of the store of the working folder that a full disk keeps from being read; `failure` for a store without a file. */
export const openCopiedRuns = (
  failure: StoreFailed,
): Effect.Effect<RunStore, Refused | StoreFailed, Scope> =>
  Effect.gen(function* () {
    const file = yield* fileOf(yield* chosenStore(""))
    if (file === undefined) return yield* failure
    const { openCopy } = yield* Effect.promise(() => import("./openCopy.ts"))
    return yield* openCopy(file, failure)
  })

const missingFile = (store: ProjectStore): Effect.Effect<string | undefined> =>
  Effect.map(fileOf(store), (file) => (file === undefined || existsSync(file) ? undefined : file))

/** Undefined for a store that is no file. */
const fileOf = ({ config, plugin, root }: ProjectStore): Effect.Effect<string | undefined> =>
  plugin === SQLITE
    ? Effect.promise(async () => (await import("@planloom/store-sqlite")).runsFile(config, root))
    : Effect.undefined
