/** Many waiting runs: the store returns pages, a worker reads no more than it starts, and the API has a limit. */
import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { definePlugin, stageKind, type RecordedRun, type RunStore } from "@planloom/plugin/effect"
import { handler } from "@planloom/server"
import { load } from "@planloom/embed"
import { worker } from "@planloom/record/worker"
import type { Worker } from "@planloom/record/worker"
import { newFile, start, storeAt } from "./store.ts"

const file = "/unsaved/echo.yaml"
const text = `apiVersion: planloom/v1
kind: Workflow
name: echo
use: { plugins: [echo] }
stages: [{ id: said, uses: echo }]
outputs: { said: { value: "\${{ stages.said.output }}" } }
`
const plugin = definePlugin({
  id: "echo",
  summary: "A stage that returns a text.",
  components: {
    stages: [
      stageKind<object>({
        id: "echo",
        summary: "Returns a text.",
        input: { type: "object" },
        output: true,
        run: () => Effect.succeed("said"),
      }),
    ],
  },
})

const loaded = load(file, {
  texts: new Map([[file, text]]),
  plugins: { echo: () => Promise.resolve(plugin) },
})

const waiting = (run: string, more: Partial<RecordedRun> = {}): RecordedRun => ({
  run,
  workflow: "echo",
  status: "running",
  inputs: {},
  definition: "echo",
  startedAt: 1,
  steps: [],
  timers: {},
  waits: [],
  events: [],
  ...more,
})

const idsOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

describe("the SQLite store with a backlog", () => {
  it.effect("returns due runs in full pages that skip active runs", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      for (const run of ["at_work_1", "at_work_2"]) yield* store.open(start(run))
      for (const run of ["a", "b", "c"]) yield* store.write(waiting(run))
      yield* store.write(waiting("ended", { status: "succeeded", finishedAt: 2 }))
      const page = (limit: number, after?: string) =>
        Effect.map(store.due({ limit, ...(after === undefined ? {} : { after }) }), (records) =>
          records.map(({ run }) => run),
        )
      assert.deepStrictEqual(yield* page(2), ["a", "b"])
      assert.deepStrictEqual(yield* page(2, "b"), ["c"])
      assert.deepStrictEqual(yield* page(2, "c"), [])
      assert.deepStrictEqual(
        (yield* store.due()).map(({ run }) => run),
        ["a", "b", "c"],
      )
    }),
  )

  it.effect("counts waiting and active runs up to the given limit", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      yield* store.open(start("at_work"))
      for (const run of ["a", "b"]) yield* store.write(waiting(run))
      yield* store.write(waiting("ended", { status: "succeeded", finishedAt: 2 }))
      yield* store.write(waiting("parked", { status: "suspended" }))
      assert.strictEqual(yield* store.backlog(10), 3)
      assert.strictEqual(yield* store.backlog(2), 2)
    }),
  )
})

/** The store, and the number of due runs it has returned. */
const counted = (store: RunStore) => {
  const read = { count: 0 }
  const due: RunStore["due"] = (page) =>
    Effect.tap(store.due(page), (records) => Effect.sync(() => (read.count += records.length)))
  const counting = new Proxy(store, {
    get: (target, key) => {
      if (key === "due") return due
      const value: unknown = Reflect.get(target, key)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
  return { read, store: counting }
}

/** Runs a worker until `count` runs have succeeded; returns their ids in order of their end. */
const succeeded = (store: RunStore, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const ready = yield* loaded
      const all = yield* Deferred.make<void>()
      const ids: Array<string> = []
      yield* worker(store, {
        concurrency: 1,
        load: (definition) =>
          definition === "echo" ? Effect.succeed(ready) : Effect.fail({ message: "no plugin" }),
        onEnd: ({ exit, run }) => {
          if (exit._tag === "Success" && ids.push(run) === count)
            Deferred.doneUnsafe(all, Effect.void)
        },
      })
      yield* Deferred.await(all)
      return ids
    }),
  )

describe("a worker with a backlog", () => {
  it.live("reads a bounded number of waiting runs per ended run, oldest first", () =>
    Effect.gen(function* () {
      const { read, store } = counted(storeAt(newFile()))
      const ids = idsOf(300, "r")
      for (const run of ids) yield* store.write(waiting(run))
      assert.deepStrictEqual(yield* succeeded(store, ids.length), ids)
      assert.isAtMost(read.count, 20 * ids.length)
    }),
  )

  it.live("skips runs in backoff, however many precede the others", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      for (const run of idsOf(100, "held")) yield* store.write(waiting(run, { definition: "gone" }))
      const ids = idsOf(3, "r")
      for (const run of ids) yield* store.write(waiting(run))
      assert.deepStrictEqual(yield* succeeded(store, ids.length), ids)
    }),
  )
})

describe("the HTTP API with a backlog", () => {
  it.effect(
    "rejects a new run over the limit with 503 and Retry-After, and returns a recorded one",
    () =>
      Effect.gen(function* () {
        const store = storeAt(newFile())
        const { pipeline, secrets } = yield* Effect.scoped(loaded)
        const idle: Worker = {
          atWork: 0,
          stopping: false,
          wake: () => undefined,
          give: () => undefined,
          start: () => Effect.succeed(false),
          cancel: Effect.succeed,
        }
        const workflows = new Map([["echo", { pipeline, secrets, definition: "echo" }]])
        const handle = handler({ store, worker: idle, workflows, maxWaiting: 2 })
        const post = (key: string) =>
          Effect.promise(() =>
            handle(
              new Request("http://localhost/workflows/echo/runs", {
                method: "POST",
                body: "{}",
                headers: { "content-type": "application/json", "idempotency-key": key },
              }),
            ),
          )
        for (const key of ["a", "b"]) assert.strictEqual((yield* post(key)).status, 202)
        const rejected = yield* post("c")
        assert.strictEqual(rejected.status, 503)
        assert.strictEqual(rejected.headers.get("content-type"), "application/problem+json")
        assert.match(rejected.headers.get("retry-after")!, /^\d+$/)
        const problem = (yield* Effect.promise(() => rejected.json())) as object
        assert.deepInclude(problem, { type: "urn:planloom:problem:backlog_full", max_waiting: 2 })
        assert.strictEqual(yield* store.show("c"), undefined)
        assert.strictEqual((yield* post("a")).status, 200)
        const opened = yield* store.open(start("a", { workflow: "echo", inputs: {} }))
        opened.journal.event({
          type: "RunFailed",
          seq: 0,
          at: 2,
          failure: { class: "internal", message: "no" },
        })
        yield* opened.close
        assert.strictEqual((yield* post("c")).status, 202)
      }),
  )

  it.live("keeps the definition of a waiting run out of the file if it holds a secret", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const secret = "k-31x7-held-in-the-file"
      const { pipeline } = yield* Effect.scoped(loaded)
      const definition = { name: "echo", note: secret }
      const gate = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const read: Array<unknown> = []
      let count = 0
      const statuses = yield* Effect.scoped(
        Effect.gen(function* () {
          const served = yield* worker(store, {
            concurrency: 1,
            load: (given) => {
              read.push(given)
              return Effect.as(Deferred.await(gate), { pipeline, secrets: [secret] })
            },
            onEnd: () => {
              if (++count === 2) Deferred.doneUnsafe(ended, Effect.void)
            },
          })
          const workflows = new Map([["echo", { pipeline, secrets: [secret], definition }]])
          const handle = handler({ store, worker: served, workflows })
          for (const key of ["first", "second"]) {
            const response = yield* Effect.promise(() =>
              handle(
                new Request("http://localhost/workflows/echo/runs", {
                  method: "POST",
                  body: "{}",
                  headers: { "content-type": "application/json", "idempotency-key": key },
                }),
              ),
            )
            assert.strictEqual(response.status, 202)
          }
          assert.strictEqual(yield* store.definition("second"), null)
          yield* Deferred.succeed(gate, undefined)
          yield* Deferred.await(ended)
          return (yield* store.list({})).map(({ status }) => status)
        }),
      )
      assert.deepStrictEqual(statuses, ["succeeded", "succeeded"])
      for (const given of read) assert.deepStrictEqual(given, definition)
      for (const part of [path, `${path}-wal`]) {
        if (existsSync(part)) assert.notInclude(readFileSync(part, "latin1"), secret)
      }
    }),
  )
})
