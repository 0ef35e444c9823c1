/** The audit list: who answered, swapped and changed prompts, beside the name that a request gives. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import type { RecordedRun } from "@planloom/plugin/effect"
import { giveAnswer } from "@planloom/record"
import { Audit } from "@planloom/record/audit"
import { KeptSwaps } from "@planloom/record/models"
import { PromptRegistry } from "@planloom/record/prompts"
import { handler, newApiKey, type ApiKey, type Scope } from "@planloom/server"
import { newFile, storeAt } from "./store.ts"

const waiting: RecordedRun = {
  run: "r",
  workflow: "pay",
  status: "suspended",
  inputs: {},
  startedAt: 1,
  steps: [],
  timers: {},
  waits: ["one", "two"].map((name) => ({
    askedAt: 1,
    wait: { name, kind: "signal" as const, path: "ask", message: `${name}?`, schema: true },
  })),
  events: [],
}

const keyOf = (name: string, ...scopes: ReadonlyArray<Scope>) =>
  Effect.promise(() => newApiKey({ name, scopes, createdAt: 1 }))

/** A server with these keys, and what each of them gets. */
const serving = Effect.fnUntraced(function* () {
  const store = storeAt(newFile())
  yield* store.write(waiting)
  const made = {
    job: yield* keyOf("job", "runs:write"),
    reader: yield* keyOf("reader", "audit:read"),
  }
  const keys = new Map(
    Object.values(made).map(({ stored }): [string, ApiKey] => [stored.id, stored]),
  )
  const handle = handler({ store, keys: { find: (id) => keys.get(id), isRequired: () => true } })
  const ask = (key: keyof typeof made, path: string, body?: string) =>
    Effect.promise(async () => {
      const response = await handle(
        new Request(`http://localhost${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: {
            authorization: `Bearer ${made[key].key}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body }),
        }),
      )
      return { status: response.status, body: (await response.json()) as any }
    })
  return { ask, store }
})

describe("the audit list", () => {
  it.live("names the key of an answer, whatever the request says", () =>
    Effect.gen(function* () {
      const { ask, store } = yield* serving()
      const path = "/runs/r/answers/one"
      assert.strictEqual((yield* ask("job", path, '{"value": 1, "by": "boss"}')).status, 200)
      yield* giveAnswer(store, "r", { name: "two", value: 2, by: "ann" })
      const { waits } = yield* store.read("r")
      assert.deepInclude(waits[0]?.answer, { by: "boss", via: "key:job" })
      assert.notProperty(waits[1]?.answer, "via")
      const { body, status } = yield* ask("reader", "/audit")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.map(({ about, action, by, via }: any) => ({ about, action, by, via })),
        [
          ["boss", "key:job", "one"],
          ["ann", "program", "two"],
        ].map(([by, via, question]) => ({
          about: { run: "r", workflow: "pay", question },
          action: "answered",
          by,
          via,
        })),
      )
      assert.strictEqual((yield* ask("job", "/audit")).status, 403)
      assert.strictEqual((yield* ask("job", path, '{"value": 1}')).status, 409)
      assert.lengthOf((yield* ask("reader", "/audit")).body, 2)
    }),
  )

  it.effect("has pages, and lists by time and action", () =>
    Effect.gen(function* () {
      const { ask, store } = yield* serving()
      const audit = Audit.of(store)!
      for (let n = 0; n < 7; n++) {
        yield* audit.record({ action: n === 3 ? "user_erased" : "key_created", about: { n } })
        yield* TestClock.adjust("1 hour")
      }
      const numbers = (path: string) =>
        Effect.map(ask("reader", path), ({ body }) => body.map((one: any) => one.about.n))
      assert.deepStrictEqual(yield* numbers("/audit?limit=3"), [0, 1, 2])
      const { body } = yield* ask("reader", "/audit?limit=3")
      assert.deepStrictEqual(yield* numbers(`/audit?limit=3&after=${body[2].id}`), [3, 4, 5])
      assert.deepStrictEqual(yield* numbers("/audit?since=1970-01-01T04:30:00Z"), [5, 6])
      assert.deepStrictEqual(yield* numbers("/audit?action=user_erased"), [3])
      for (const wrong of ["limit=0", "since=soon", "action=none", "by=ann"]) {
        assert.strictEqual((yield* ask("reader", `/audit?${wrong}`)).status, 422, wrong)
      }
    }),
  )

  it.effect("has swaps of models and changes of prompts, which keep who they came through", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const swaps = KeptSwaps.of(store)!
      const reason = { by: "ann", why: "cost", via: "key:ops" }
      const swap = yield* swaps.put("pay", { alias: "fast", before: [], after: ["a/b"], ...reason })
      yield* swaps.undo("pay", reason, () => ["c/d"])
      assert.strictEqual(swap.via, "key:ops")
      const prompts = PromptRegistry.of(store)!
      yield* prompts.edit("pay", "ask", { text: "Hi", file: "0" }, { by: "ann", via: "key:ops" })
      assert.strictEqual((yield* prompts.version("pay", "ask", 1))?.via, "key:ops")
      const entries = yield* Audit.of(store)!.list()
      assert.deepStrictEqual(
        entries.map(({ action, by, via }) => `${action} ${by} ${via}`),
        ["models_swapped ann key:ops", "swap_undone ann key:ops", "prompt_changed ann key:ops"],
      )
    }),
  )
})
