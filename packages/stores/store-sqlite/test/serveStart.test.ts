/** Starting a run over HTTP: at once in this process, or enqueued behind runs that wait. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Queue } from "effect"
import { load } from "@planloom/embed"
import { definePlugin, stageKind, StoreFailed, type RunStore } from "@planloom/plugin/effect"
import { worker } from "@planloom/record/worker"
import { handler } from "@planloom/server"
import { newFile, start, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: letter
use: { plugins: [p] }
inputs: { to: { type: string, personal: true }, note: { type: string, default: none } }
stages: [{ id: write, uses: write, with: { to: "\${{ inputs.to }}", note: "\${{ inputs.note }}" } }]
outputs: { letter: "\${{ stages.write.output }}" }
`

/** Counts calls of the store's methods, of which some may be replaced. */
const counted = (store: RunStore, replaced: Partial<RunStore> = {}) => {
  const calls: { [name: string]: number } = {}
  const counting = new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(Reflect.has(replaced, key) ? replaced : target, key)
      if (typeof value !== "function") return value
      return (...given: ReadonlyArray<unknown>) => {
        calls[String(key)] = (calls[String(key)] ?? 0) + 1
        return Reflect.apply(value, target, given)
      }
    },
  })
  return { calls, counting }
}

/** A server with room for one run; stages with the note `wait` end once `go` is done. */
const serving = Effect.fnUntraced(function* (store: RunStore) {
  const go = yield* Deferred.make<void>()
  const ends = yield* Queue.unbounded<string>()
  const plugin = definePlugin({
    id: "p",
    summary: "Letters.",
    components: {
      stages: [
        stageKind<{ readonly to: string; readonly note: string }>({
          id: "write",
          summary: "Writes.",
          input: { type: "object", additionalProperties: true },
          output: { type: "string" },
          run: ({ note, to }) =>
            Effect.as(note === "wait" ? Deferred.await(go) : Effect.void, `to ${to}`),
        }),
      ],
    },
  })
  const { pipeline, secrets } = yield* load("w.yaml", {
    plugins: { p: async () => plugin },
    texts: new Map([["w.yaml", text]]),
  })
  const running = yield* worker(store, {
    concurrency: 1,
    // It looks when it is woken, not in the middle of a request.
    every: 60_000,
    load: () => Effect.succeed({ pipeline, secrets }),
    onEnd: ({ exit, run }) => Queue.offerUnsafe(ends, `${run} ${exit._tag}`),
  })
  const workflows = new Map([["letter", { pipeline, secrets, definition: { of: "letter" } }]])
  const handle = handler({ store, worker: running, workflows })
  const post = (key: string, inputs: object, accept = "application/json") =>
    Effect.promise(() =>
      handle(
        new Request("http://localhost/workflows/letter/runs", {
          method: "POST",
          body: JSON.stringify({ inputs }),
          headers: { "content-type": "application/json", "idempotency-key": key, accept },
        }),
      ),
    )
  const isActive = Effect.fnUntraced(function* (response: Response) {
    assert.strictEqual(response.status, 202)
    const { active } = yield* Effect.promise(() => response.json() as Promise<{ active: boolean }>)
    return active
  })
  // The worker starts runs at once when it has seen that none waits.
  for (let n = 0; ; n++) {
    const response = yield* post(`first-${n}`, { to: "ann@example.org" })
    assert.strictEqual(yield* Queue.take(ends), `first-${n} Success`)
    if (yield* isActive(response)) return { ends, go, isActive, post }
  }
})

describe("a run posted to a server", () => {
  it.live("starts at once while no run waits, and its events are streamed from memory", () =>
    Effect.gen(function* () {
      const { calls, counting } = counted(storeAt(newFile()))
      const { ends, post } = yield* serving(counting)
      const before = { ...calls }
      const response = yield* post("r", { to: "bob@example.org" }, "text/event-stream")
      const said = yield* Effect.promise(() => response.text())
      assert.include(said, '"type":"RunStarted"')
      assert.include(said, "event: end")
      assert.strictEqual(yield* Queue.take(ends), "r Success")
      for (const name of ["write", "due", "events", "definition"]) {
        assert.strictEqual(calls[name], before[name], name)
      }
      const { definition, events, inputs } = yield* counting.read("r")
      assert.deepStrictEqual(definition, { of: "letter" })
      assert.deepStrictEqual(inputs, { to: "[personal:to]", note: "none" })
      assert.deepInclude(events.at(-1), {
        type: "RunFinished",
        outputs: { letter: "to [personal:to]" },
      })
      assert.strictEqual((yield* counting.show("r"))?.epoch, 1)
    }),
  )

  it.live("waits behind the runs that wait", () =>
    Effect.gen(function* () {
      const { ends, go, isActive, post } = yield* serving(storeAt(newFile()))
      const starts = (key: string, note: string) =>
        Effect.flatMap(post(key, { to: "ann@example.org", note }), isActive)
      assert.isTrue(yield* starts("a", "wait"))
      assert.isFalse(yield* starts("b", "none"))
      assert.isFalse(yield* starts("c", "none"))
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Queue.takeN(ends, 3), ["a Success", "b Success", "c Success"])
    }),
  )

  it.live("is the run of another process that recorded its key first", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      // The other process records the run after this one has looked for it.
      const { counting } = counted(store, {
        open: (given) =>
          given.run === "r"
            ? Effect.andThen(
                storeAt(path).open(start("r", { workflow: "letter", inputs: given.inputs })),
                store.open(given),
              )
            : store.open(given),
      })
      const { post } = yield* serving(counting)
      const inputs = { to: "ann@example.org" }
      assert.strictEqual((yield* post("r", inputs)).status, 200)
      assert.strictEqual((yield* post("r", { ...inputs, note: "other" })).status, 409)
      assert.strictEqual((yield* store.show("r"))?.epoch, 1)
    }),
  )

  it.live("is rejected with 503 and never reported as ended if it cannot be recorded", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const full = new StoreFailed({ reason: "full", message: "the disk is full" })
      const { counting } = counted(store, {
        open: (given) => (given.run === "r" ? Effect.fail(full) : store.open(given)),
      })
      const { ends, post } = yield* serving(counting)
      assert.strictEqual((yield* post("r", { to: "ann@example.org" })).status, 503)
      assert.strictEqual((yield* post("s", { to: "ann@example.org" })).status, 202)
      assert.strictEqual(yield* Queue.take(ends), "s Success")
    }),
  )
})
