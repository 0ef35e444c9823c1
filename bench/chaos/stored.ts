/** Reads what a store holds while and after its processes are killed. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { RunEvent, RunStore } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { resultOf } from "@planloom/core"

const inStore = <A>(path: string, use: (store: RunStore) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(openStore(path), use)))

/** Looks into a copy, so that the successor is the one who finds the file as the dead left it; undefined without a file. */
const inCopy = async <A>(
  folder: string,
  use: (store: RunStore) => Effect.Effect<A, unknown>,
): Promise<A | undefined> => {
  if (!existsSync(join(folder, "runs.db"))) return undefined
  const copy = mkdtempSync(join(tmpdir(), "planloom-copy-"))
  try {
    for (const file of ["runs.db", "runs.db-wal"]) {
      if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file))
    }
    return await inStore(join(copy, "runs.db"), use)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

export const recordedIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const names = await inCopy(folder, (store) =>
    Effect.gen(function* () {
      const found: Array<string> = []
      for (const { run } of yield* store.list()) {
        for (const { name } of yield* store.steps(run)) found.push(`${run} ${name}`)
      }
      return found
    }),
  )
  return new Set(names)
}

export const eventsIn = async (folder: string, run: string): Promise<ReadonlyArray<RunEvent>> =>
  (await inCopy(folder, (store) => store.events(run))) ?? []

/** What the runs gave and the sessions hold, and the runs without a good end or whose events skip or repeat a number. */
export const endsIn = (folder: string) =>
  inStore(join(folder, "runs.db"), (store) =>
    Effect.gen(function* () {
      const outputs = new Map<string, string>()
      const unsound: Array<string> = []
      for (const { run, status } of yield* store.list()) {
        const events = yield* store.events(run)
        if (status !== "succeeded" || events.some(({ seq }, index) => seq !== index)) {
          unsound.push(run)
        }
        // Paths of files differ from folder to folder.
        const text = JSON.stringify(resultOf(events).outputs)
        outputs.set(run, text.replaceAll(folder, ""))
      }
      for (const { session, turns } of yield* store.sessions.list()) {
        outputs.set(`session ${session}`, JSON.stringify(turns))
      }
      return { outputs, unsound }
    }),
  )

/** Runs that are not sound, or that gave something else than is right; sessions that hold something else. */
export const lostOf = (
  begun: ReadonlySet<string>,
  {
    outputs,
    unsound,
  }: { readonly outputs: ReadonlyMap<string, string>; readonly unsound: ReadonlyArray<string> },
  right: ReadonlyMap<string, string> | undefined,
): ReadonlyArray<string> => {
  const expected = [...begun, ...[...(right?.keys() ?? [])].filter(isSession)]
  const wrong = expected.filter(
    (name) => !outputs.has(name) || (right !== undefined && right.get(name) !== outputs.get(name)),
  )
  return [...new Set([...wrong, ...unsound])]
}

const isSession = (name: string): boolean => name.startsWith("session ")
