/**
 * How soon a run goes on after kill -9, as a person waits for it: from the spawn of a process to its exit, when one step of the
 * run was left, beside a process that does nothing: `node bench/goingOn.ts [rounds]`. Medians over interleaved rounds.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { openStore } from "@planloom/store-sqlite"
import { run } from "@planloom/core"
import { resume } from "@planloom/record"
import { sized } from "./durable/sized.ts"

/** Characters of each output. */
const OUTPUT = 1000

const inProcess = (folder: string, steps: number, what: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* openStore(join(folder, "runs.db"))
      const { halt, pipeline } = yield* sized(folder, steps, "x".repeat(OUTPUT))
      if (what === "begin") {
        halt.at = steps - 1
        yield* Effect.forkChild(run(pipeline, {}, { store, run: "r" }))
        yield* Deferred.await(halt.reached)
        process.kill(process.pid, "SIGKILL")
      }
      const { outputs } = yield* resume(pipeline, "r", { store })
      if (outputs["n"] !== steps) throw new Error("wrong")
    }),
  )

/** From source, compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "planloom-going-on-cache") }

const spawned = (...args: ReadonlyArray<string>) => {
  const began = performance.now()
  const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env })
  if (signal === null && status !== 0) throw new Error(stderr)
  return performance.now() - began
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

const compared = (rounds: number) => {
  const sizes = [10, 100]
  const folder = mkdtempSync(join(tmpdir(), "planloom-going-on-"))
  const self = import.meta.filename
  for (const steps of sizes) spawned(self, join(folder, `${steps}`), `${steps}`, "begin")
  const found = new Map<string, Array<number>>()
  const note = (who: string, ms: number) => found.set(who, [...(found.get(who) ?? []), ms])
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    if (round === 0) found.clear()
    note("Node alone", spawned("--eval", ""))
    for (const steps of sizes) {
      const copy = join(folder, `${steps}-${round}`)
      cpSync(join(folder, `${steps}`), copy, { recursive: true })
      note(`${steps} steps`, spawned(self, copy, `${steps}`, "go on"))
    }
  }
  for (const used of [folder, env.NODE_COMPILE_CACHE]) rmSync(used, { recursive: true })
  console.log("| one process, spawn to exit | ms | fastest |\n|---|---:|---:|")
  for (const [who, ms] of found) {
    console.log(`| ${who} | ${median(ms).toFixed(0)} | ${Math.min(...ms).toFixed(0)} |`)
  }
  console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`)
}

const [first = "15", steps, what] = process.argv.slice(2)
if (steps === undefined || what === undefined) compared(Number(first))
else await Effect.runPromise(inProcess(first, Number(steps), what))
