/** Heap after many runs: `node --expose-gc bench/memory.ts [runs]`. Ten stages a run, events on. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"

const runs = Number(process.argv[2] ?? 100_000)
const collect = globalThis.gc
if (collect === undefined) throw new Error("run with --expose-gc")

const increment = stageKind<{ readonly value: number }>({
  id: "increment",
  summary: "Adds one.",
  input: { type: "object", properties: { value: { type: "integer" } }, required: ["value"] },
  output: { type: "integer" },
  run: ({ value }) => Effect.succeed(value + 1),
})

const path = join(mkdtempSync(join(tmpdir(), "planloom-bench-")), "memory.yaml")
writeFileSync(
  path,
  `apiVersion: planloom/v1
kind: Workflow
name: memory
inputs: { n: { type: integer } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" } }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`,
)

const plugin = definePlugin({
  id: "bench",
  summary: "Adds one.",
  components: { stages: [increment] },
})

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      const many = (count: number) =>
        Effect.promise(async () => {
          for (let index = 0; index < count; index++) {
            await Effect.runPromise(run(pipeline, { n: 1 }, { onEvent: () => undefined }))
          }
        })
      const heap = () => {
        collect()
        collect()
        return process.memoryUsage()
      }
      yield* many(5000)
      const before = heap()
      yield* many(runs / 2)
      const half = heap()
      yield* many(runs / 2)
      const after = heap()
      const perRun = (after.heapUsed - half.heapUsed) / (runs / 2)
      console.log(
        `${runs} runs: ${perRun.toFixed(1)} heap bytes per run in the second half, ` +
          `heap ${(before.heapUsed / 1e6).toFixed(1)} → ${(after.heapUsed / 1e6).toFixed(1)} MB, ` +
          `RSS ${(after.rss / 1e6).toFixed(0)} MB`,
      )
    }),
  ),
)
