/** The store of a project, for applications that do not use Effect. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { LoadOptions } from "@planloom/language"
import type { RunStore } from "@planloom/plugin/effect"
import { projectStore } from "./Workflow.ts"

export interface OpenedStore {
  readonly store: RunStore
  /** Releases the plugin of the store. */
  readonly close: () => Promise<void>
}

/** Opens the store that `planloom.yaml` at or above a folder chooses. Rejects with `StoreInvalid` or `StoreFailed`. */
export const openProjectStore = async (
  folder: string,
  options: LoadOptions = {},
): Promise<OpenedStore> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const store = await Effect.runPromise(Scope.provide(projectStore(folder, options), scope))
    return { store, close }
  } catch (error) {
    await close()
    throw error
  }
}
