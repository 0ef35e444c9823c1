/** Opens a copy of a SQLite store in the temporary folder: SQLite needs space beside a file to read it. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

/** A copy whose changes are lost when the scope closes. Fails with `failure` where the copy has no space either. */
export const openCopy = (
  file: string,
  failure: StoreFailed,
): Effect.Effect<RunStore, StoreFailed, Scope> =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "planloom-read-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
    )
    const copy = join(folder, "runs.db")
    yield* Effect.try({
      try: () => {
        // The log first: what a process moves from it to the file meanwhile is then in both.
        const log = `${file}-wal`
        if (existsSync(log) && statSync(log).size > 0) copyFileSync(log, `${copy}-wal`)
        copyFileSync(file, copy)
      },
      catch: () => failure,
    })
    const { openStore } = yield* Effect.promise(() => import("@planloom/store-sqlite"))
    return yield* openStore(copy)
  })
