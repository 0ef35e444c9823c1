/** Stores in temporary folders of a test. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { RunStart, RunStore, StoreFailed } from "@planloom/plugin/effect"
import { eachFile } from "../../../../.config/eachFile.ts"
import { openStore, type StoreOptions } from "../src/index.ts"
import { thisOwner } from "../src/owner/Owner.ts"

const folders: Array<string> = []
let scope = Scope.makeUnsafe()

await eachFile({
  end: async () => {
    const ended = scope
    scope = Scope.makeUnsafe()
    await Effect.runPromise(Scope.close(ended, Exit.void))
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  },
})

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-store-"))
  folders.push(folder)
  return folder
}

export const newFile = (): string => join(newFolder(), "runs.db")

/** A store that stays open until the tests of the file are done. */
export const storeAt = (path: string, options?: StoreOptions): RunStore =>
  Effect.runSync(Scope.provide(openStore(path, options), scope))

/** A pid that no process has: Linux assigns none above 2^22. */
const ENDED_PID = 2 ** 22 + 1

/** Makes the owner of a file's runs appear to have ended. */
export const endOwners = (path: string): void => {
  const database = new DatabaseSync(path)
  database
    .prepare("UPDATE runs SET owner = ? WHERE owner IS NOT NULL")
    .run(JSON.stringify({ ...thisOwner(2000), pid: ENDED_PID }))
  database.close()
}

/** The failure of opening a store. */
export const refusal = (path: string, options?: StoreOptions): StoreFailed =>
  Effect.runSync(Effect.scoped(Effect.flip(openStore(path, options))))

export const start = (run: string, more: Partial<RunStart> = {}): RunStart => ({
  run,
  workflow: "test",
  inputs: { n: 1 },
  ...more,
})
