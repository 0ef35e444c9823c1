/** How many runs a server ends per second while others wait: `node bench/serve.ts [runs per round] [rounds]`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { handler } from "@planloom/server"
import { openStore } from "@planloom/store-sqlite"
import { load } from "@planloom/embed"
import { worker } from "@planloom/record/worker"
import type { Worker } from "@planloom/record/worker"
import { plugin, text } from "./tenStages.ts"

const measured = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 3)

/** Stands in for the worker while runs are only written. */
const idle: Worker = {
  atWork: 0,
  stopping: false,
  wake: () => undefined,
  give: () => undefined,
  start: () => Effect.succeed(false),
  cancel: (record) => Effect.succeed(record),
}

/** Runs ended per second, and CPU milliseconds of each, while as many wait from the first to the last. */
const round = (waiting: number) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "planloom-serve-"))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    )
    const file = "/unsaved/quick.yaml"
    const { pipeline, secrets } = yield* load(file, {
      texts: new Map([[file, text]]),
      plugins: { quick: () => Promise.resolve(plugin) },
    })
    const store = yield* openStore(join(folder, "runs.db"))
    const workflows = new Map([["quick", { pipeline, secrets, definition: { [file]: text } }]])
    const post = async (handle: ReturnType<typeof handler>) => {
      const request = new Request("http://localhost/workflows/quick/runs", {
        method: "POST",
        body: JSON.stringify({ inputs: { text: "a question of usual length" } }),
        headers: { "content-type": "application/json" },
      })
      const { status } = await handle(request)
      if (status !== 202) throw new Error(`POST answered ${status}`)
    }
    const concurrency = 4
    const before = handler({ store, workflows, worker: idle })
    yield* Effect.promise(async () => {
      for (let at = 0; at < waiting + concurrency; at++) await post(before)
    })
    let ended = 0
    const done = Deferred.makeUnsafe<{ readonly rate: number; readonly cpu: number }>()
    const posts = new Set<Promise<void>>()
    let handle = before
    const began = performance.now()
    const cpu = process.cpuUsage()
    const here = yield* worker(store, {
      concurrency,
      load: () => Effect.succeed({ pipeline, secrets }),
      onEnd: () => {
        if (++ended < measured) {
          const posted = post(handle)
          posts.add(posted)
          void posted.finally(() => posts.delete(posted))
          return
        }
        const { system, user } = process.cpuUsage(cpu)
        const seconds = (performance.now() - began) / 1000
        const rate = measured / seconds
        Deferred.doneUnsafe(done, Effect.succeed({ rate, cpu: (system + user) / 1000 / measured }))
      },
    })
    handle = handler({ store, workflows, worker: here })
    const figures = yield* Deferred.await(done)
    // Before the store is closed.
    yield* Effect.promise(() => Promise.all(posts))
    return figures
  }).pipe(Effect.scoped)

const sorted = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)
const middle = (values: ReadonlyArray<number>) => sorted(values)[values.length >> 1]!

process.stdout.write(
  `${measured} runs of ten stages a round, ${rounds} rounds: runs/s lowest and median, CPU ms per run lowest and median\n`,
)
// A process that has just started compiles its code during the first rounds.
for (let at = 0; at < rounds; at++) await Effect.runPromise(round(0))
for (const waiting of [0, 10_000]) {
  const found: Array<{ readonly rate: number; readonly cpu: number }> = []
  for (let at = 0; at < rounds; at++) found.push(await Effect.runPromise(round(waiting)))
  const rates = found.map(({ rate }) => rate)
  const cpus = found.map(({ cpu }) => cpu)
  process.stdout.write(
    `${String(waiting).padStart(6)} waiting: ${sorted(rates)[0]!.toFixed(0)} and ${middle(rates).toFixed(0)} runs/s; ${sorted(cpus)[0]!.toFixed(2)} and ${middle(cpus).toFixed(2)} CPU ms\n`,
  )
}
process.exit(0)
