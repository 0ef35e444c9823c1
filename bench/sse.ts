/**
 * A run followed by server-sent events beside the same run embedded: `node bench/sse.ts [rounds]`.
 * Ten stages that do nothing, recorded in one SQLite file each; requests go to the handler itself, without sockets.
 * CPU µs per run with 1 and 50 runs in flight, least of interleaved rounds.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { worker } from "@planloom/record/worker"
import { handler, RunParts } from "@planloom/server"
import { openStore } from "@planloom/store-sqlite"
import { plugin, text } from "./tenStages.ts"

const rounds = Number(process.argv[2] ?? 7)
const RUNS = 200
const WORKERS = 4

const file = "/unsaved/quick.yaml"
const inputs = { text: "a question of usual length" }

const bench = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "planloom-sse-"))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )
  const { pipeline, secrets } = yield* load(file, {
    texts: new Map([[file, text]]),
    plugins: { quick: () => Promise.resolve(plugin) },
  })
  const embeddedStore = yield* openStore(join(folder, "embedded.db"))
  const store = yield* openStore(join(folder, "served.db"))
  const workflows = new Map([["quick", { pipeline, secrets, definition: "quick" }]])
  const parts = new RunParts()
  const ends = new Map<string, () => void>()
  const here = yield* worker(store, {
    concurrency: WORKERS,
    load: () => Effect.succeed({ pipeline, secrets }),
    options: ({ run: id }) => ({ onPart: parts.of(id) }),
    onEnd: ({ run: id }) => {
      parts.end(id)
      ends.get(id)?.()
      ends.delete(id)
    },
  })
  const handle = handler({ store, workflows, worker: here, parts })
  const post = (headers: { readonly [name: string]: string }) =>
    handle(
      new Request("http://localhost/workflows/quick/runs", {
        method: "POST",
        body: JSON.stringify({ inputs }),
        headers: { "content-type": "application/json", ...headers },
      }),
    )

  const contenders: { readonly [name: string]: () => Promise<void> } = {
    "embedded, recorded": async () => {
      await Effect.runPromise(
        run(pipeline, inputs, { store: embeddedStore, secrets, definition: "quick" }),
      )
    },
    "served, not followed": async () => {
      const id = crypto.randomUUID()
      const ended = new Promise<void>((resolve) => ends.set(id, resolve))
      const { status } = await post({ "idempotency-key": id })
      if (status !== 202) throw new Error(`the server answered ${status}`)
      await ended
    },
    "served, followed by SSE": async () => {
      const response = await post({ accept: "text/event-stream" })
      let said = ""
      const decoder = new TextDecoder()
      for await (const bytes of response.body!) said += decoder.decode(bytes, { stream: true })
      if (!said.includes('"RunFinished"') || !said.includes("event: end"))
        throw new Error("the stream is not whole")
    },
  }

  /** CPU µs per run. */
  const timed = async (work: () => Promise<void>, inFlight: number): Promise<number> => {
    const began = process.cpuUsage()
    let left = RUNS
    const client = async () => {
      while (left-- > 0) await work()
    }
    await Promise.all(Array.from({ length: inFlight }, client))
    const { system, user } = process.cpuUsage(began)
    return (system + user) / RUNS
  }

  const least: { [name: string]: { [column: string]: number } } = {}
  yield* Effect.promise(async () => {
    for (let round = 0; round <= rounds; round++) {
      for (const [name, work] of Object.entries(contenders)) {
        const row = (least[name] ??= {})
        for (const inFlight of [1, 50]) {
          const column = `${inFlight} in flight`
          const cpu = Math.round(await timed(work, inFlight))
          // The first round warms up.
          if (round > 0) row[column] = Math.min(row[column] ?? Infinity, cpu)
        }
      }
    }
  })
  console.table(least)
})

await Effect.runPromise(Effect.scoped(bench))
