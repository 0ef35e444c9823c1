/** Stores in folders of a test's own. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { RunStart, RunStore, StoreFailed } from "@planloom/plugin"
import { afterAll } from "vitest"
import { openStore, type StoreOptions } from "../src/index.ts"

const folders: Array<string> = []
const scope = Scope.makeUnsafe()

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-store-"))
  folders.push(folder)
  return folder
}

export const newFile = (): string => join(newFolder(), "runs.db")

/** Open until the tests of the file are done. */
export const storeAt = (path: string, options?: StoreOptions): RunStore =>
  Effect.runSync(Scope.provide(openStore(path, options), scope))

/** Why it could not be opened. */
export const refusal = (path: string, options?: StoreOptions): StoreFailed =>
  Effect.runSync(Effect.scoped(Effect.flip(openStore(path, options))))

export const start = (run: string, more: Partial<RunStart> = {}): RunStart => ({
  run,
  workflow: "test",
  inputs: { n: 1 },
  ...more,
})
