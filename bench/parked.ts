/** What a run costs a process while it waits for a person: `node bench/parked.ts [runs]`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { giveAnswer } from "@planloom/record"
import { resumeDue } from "@planloom/record/worker"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const runs = Number(process.argv[2] ?? 3000)
const folder = mkdtempSync(join(tmpdir(), "planloom-parked-"))
const file = join(folder, "workflow.yaml")
writeFileSync(
  file,
  `apiVersion: planloom/v1
kind: Workflow
name: parked
stages:
  - { id: draft, uses: write }
  - { id: sign_off, uses: sign }
  - { id: send, uses: write }
outputs: { said: "\${{ stages.sign_off.output }}" }
`,
)

const any = { type: "object", additionalProperties: true }
const plugin = definePlugin({
  id: "parked",
  summary: "Writes 20 KB, and asks.",
  components: {
    stages: [
      stageKind<object>({
        id: "write",
        summary: "Writes 20 KB.",
        input: any,
        output: true,
        run: (_, { run: id }) => Effect.sync(() => id.repeat(2000)),
      }),
      stageKind<object>({
        id: "sign",
        summary: "Asks.",
        input: any,
        output: true,
        run: (_, context) =>
          Effect.map(
            context.ask({ message: "Send it?", schema: { type: "boolean" } }),
            ({ value }) => value,
          ),
      }),
    ],
  },
})

/** Bytes that can be reached, and how many handles keep the process alive. */
const held = async () => {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length }
}

const program = Effect.gen(function* () {
  const { pipeline } = yield* load(file, { extraPlugins: [plugin] })
  const store = yield* openStore(join(folder, "runs.db"))
  const park = (from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: to - from }, (_, index) => from + index),
      (n) => run(pipeline, {}, { store, run: `run-${n}`, definition: "parked" }),
      { concurrency: 8, discard: true },
    )
  // What the first runs load and compile is there once.
  yield* park(0, 200)
  const before = yield* Effect.promise(held)
  const began = performance.now()
  yield* park(200, 200 + runs)
  const parkedIn = performance.now() - began
  const after = yield* Effect.promise(held)
  for (let n = 0; n < 200 + runs; n++) yield* giveAnswer(store, `run-${n}`, { value: true })
  const resumed = performance.now()
  const worked = yield* resumeDue(store, {
    load: () => Effect.succeed({ pipeline }),
    concurrency: 8,
  })
  const goneOnIn = performance.now() - resumed
  const done = (yield* store.list({ status: "succeeded" })).length
  console.log(
    [
      `parked ${runs} runs in ${Math.round(parkedIn)} ms: heap ${(before.heap / 1e6).toFixed(2)} → ${(after.heap / 1e6).toFixed(2)} MB`,
      `${((after.heap - before.heap) / runs).toFixed(0)} bytes a run; handles ${before.handles} → ${after.handles}`,
      `answered, then ${worked.length} gone on with in ${Math.round(goneOnIn)} ms; ${done} of ${200 + runs} have succeeded`,
    ].join("\n"),
  )
  if (done !== 200 + runs) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(program))
rmSync(folder, { recursive: true, force: true })
