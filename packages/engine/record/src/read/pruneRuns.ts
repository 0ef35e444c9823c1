/** Prunes runs from a store, with the folders that hold their files. */
import * as Effect from "effect/Effect"
import type { Retention, RunStore, StoreFailed } from "@planloom/plugin/effect"
import { removeRunFolders, WORKSPACE } from "@planloom/core/internal"
import type { RemainingFolder } from "@planloom/core/internal"

export interface PrunedRuns {
  readonly runs: ReadonlyArray<string>
  /** Folders of these runs that could not be removed. */
  readonly remaining: ReadonlyArray<RemainingFolder>
}

/** `workspaces` are the folders that runs had as `workspace`. A run that another was forked from stays. */
export const pruneRuns = (
  store: RunStore,
  retention: Retention,
  workspaces: ReadonlyArray<string> = [WORKSPACE],
): Effect.Effect<PrunedRuns, StoreFailed> =>
  Effect.flatMap(store.prune(retention), (runs) =>
    Effect.map(
      Effect.forEach(workspaces, (root) => Effect.promise(() => removeRunFolders(root, runs))),
      (remaining) => ({ runs, remaining: remaining.flat() }),
    ),
  )
