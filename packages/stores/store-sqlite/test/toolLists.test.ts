/** Lists of tools that may change: a file keeps each once, however many runs are offered it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { definePlugin, stageKind, type JsonObject, type ToolSource } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { newFile, newFolder, storeAt } from "./store.ts"

const described = "A long description of a tool. ".repeat(20)

/** A source whose list a test changes. */
const changing = Effect.gen(function* () {
  const changes = yield* Queue.unbounded<void>()
  let names = ["base.one", "base.two"]
  const list = Effect.sync(() => ({
    tools: names.map((name) => ({
      name,
      summary: described,
      capabilities: [],
      inputs: {},
      outputs: [],
      params: { type: "object" },
      effect: "read" as const,
    })),
  }))
  const source: ToolSource = {
    id: "base",
    summary: "Tools.",
    list,
    known: list,
    changes: Stream.fromQueue(changes),
    call: ({ tool }) => Effect.succeed({ value: tool }),
  }
  const change = (...now: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      names = [...now]
      return Effect.andThen(
        Queue.offer(changes, undefined),
        Effect.repeat(Effect.yieldNow, { times: 20 }),
      )
    })
  return { source, change }
})

const lists = stageKind<JsonObject>({
  id: "lists",
  summary: "Lists tools.",
  input: { type: "object" },
  output: true,
  run: (_, { tools }) => Effect.succeed(tools.map(({ name }) => name)),
})

const world = Effect.gen(function* () {
  const { change, source } = yield* changing
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: { tools: [source], stages: [lists] },
  })
  const path = join(newFolder(), "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: listing
stages: [{ id: a, uses: lists }, { id: b, uses: lists }]
outputs: { a: "\${{ stages.a.output }}", b: "\${{ stages.b.output }}" }
`,
  )
  const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
  const file = newFile()
  const store = storeAt(file)
  const rows = (sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
  return {
    change,
    ran: (id: string) => run(pipeline, {}, { store, run: id }),
    store,
    blobs: () =>
      Number(rows("SELECT COUNT(*) AS n FROM blobs WHERE body LIKE '%long description%'")[0]!["n"]),
    inline: () =>
      Number(rows("SELECT COUNT(*) AS n FROM steps WHERE body LIKE '%long description%'")[0]!["n"]),
  }
})

describe("a list of tools on record", () => {
  it.effect("is kept once for many runs, and once more after a change", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { blobs, change, inline, ran, store } = yield* world
        for (const id of ["r1", "r2", "r3"]) {
          const { outputs } = yield* ran(id)
          assert.deepStrictEqual(outputs, {
            a: ["base.one", "base.two"],
            b: ["base.one", "base.two"],
          })
        }
        assert.deepStrictEqual([blobs(), inline()], [1, 0])
        yield* change("base.one", "base.three")
        yield* ran("r4")
        yield* ran("r5")
        assert.deepStrictEqual([blobs(), inline()], [2, 0])
        const kept = yield* store.steps("r4")
        const recorded = kept.filter(({ outcome }) =>
          JSON.stringify(outcome).includes("long description"),
        )
        assert.strictEqual(recorded.length, 1)
        yield* store.prune({ keep: 1 })
        assert.strictEqual(blobs(), 1)
      }),
    ),
  )
})
