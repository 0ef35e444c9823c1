/** Examples of the keys that a host applies: where it exports telemetry, which runs it keeps, how many requests it takes, and what they may read. */
import { readFile, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { pruneByPolicy } from "../../../../hosts/cli/src/run/recording.ts"
import { telemetryOf } from "../../../../hosts/cli/src/run/telemetry.ts"
import { requestRate } from "../../../../hosts/cli/src/serve/requestRate.ts"
import { keptMetrics } from "../../../../hosts/cli/src/serve/keptMetrics.ts"
import { watchdogLimit } from "../../../../hosts/cli/src/serve/watchdogLimit.ts"
import { collector } from "../../../../components/telemetry/test/collector.ts"
import type { KeyExample } from "./KeyExample.ts"
import { nothing, type Observation } from "./Observation.ts"
import { work } from "./work.ts"
import { byDefault, examples, file, flow } from "./worlds.ts"

/** Stand in files for the collectors, whose ports are known only when they listen. */
const FIRST = "http://first.example"
const OTHER = "http://other.example"

/** Ages of earlier runs, oldest first. */
const AGES_HOURS = [100, 10, 1]
const MS_PER_HOUR = 3_600_000

const paths = ["flow.yaml", "planloom.yaml"]

const plugin = definePlugin({
  id: "world",
  summary: "A stage kind.",
  components: { stages: [work()] },
})

/** Runs the workflow as the command does: with its telemetry, and with its policy for the runs in the store. */
const hosted = async (folder: string): Promise<Partial<Observation>> => {
  const collectors = [await collector(), await collector()] as const
  try {
    for (const path of paths) {
      const text = await readFile(join(folder, path), "utf8")
      const [first, other] = collectors
      await writeFile(
        join(folder, path),
        text.replaceAll(FIRST, first.url).replaceAll(OTHER, other.url),
      )
    }
    const program = Effect.gen(function* () {
      const loaded = yield* load(join(folder, "flow.yaml"), {
        extraPlugins: [plugin],
        flag: () => undefined,
      })
      yield* run(loaded.pipeline, {}, yield* telemetryOf(loaded))
      const store = yield* openStore(join(folder, "runs.db"))
      for (const hours of AGES_HOURS) {
        const start = { run: `ended_${hours}h_ago`, workflow: "flow", inputs: {} }
        const { close, journal } = yield* store.open(start)
        const at = Date.now() - hours * MS_PER_HOUR
        journal.event({ type: "RunFinished", outputs: {}, seq: 0, at })
        yield* close
      }
      yield* pruneByPolicy(store, loaded.keep)
      return {
        kept: (yield* store.list()).map((one) => one.run).toSorted(),
        rate: (yield* requestRate({ flag: undefined, folder, isPublic: true })) ?? null,
        metrics: (yield* keptMetrics({ flag: false, folder })) !== undefined,
        watchdog: (yield* watchdogLimit({ flag: undefined, folder })) ?? null,
        roots: loaded.pipeline.roots.map((root) => relative(folder, root)),
      }
    })
    const seen = await Effect.runPromise(
      Effect.scoped(program).pipe(
        Effect.catchTag("WorkflowInvalid", ({ message }) => Effect.succeed(message)),
      ),
    )
    if (typeof seen === "string") return { ...nothing, refused: [seen] }
    const exported = collectors.map(({ spans }) => spans().map(({ name }) => name))
    return { shown: [{ ...seen, exported }] }
  } finally {
    for (const one of collectors) await one.close()
  }
}

const world = {
  ...flow("stages: [{ id: one, uses: work }]", {
    files: { "planloom.yaml": file("Project", "runs: {}") },
  }),
  observe: hosted,
}

const telemetry = [
  ["telemetry", { otlp: FIRST }, { otlp: OTHER }],
  ["telemetry.otlp", FIRST, OTHER],
] as const

export const hostExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "Workflow", world }, telemetry),
  ...examples({ owner: "Project", file: "planloom.yaml", world }, [
    ...telemetry,
    ["runs.keep", { age: "1d" }, { count: 1 }],
    ["runs.keep.age", "1d", "5h"],
    ["runs.keep.count", 1, 2],
    ["serve", { rate: 60 }, { rate: 600 }],
    ["serve.rate", 60, 600],
    ["serve.metrics", true, byDefault(false)],
    ["serve.watchdog", "off", "30s"],
    ["roots", ["data"], ["docs", "../shared"]],
  ]),
]
