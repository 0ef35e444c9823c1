/** Resuming over HTTP: which inputs are taken, what the replies show, and who resumed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { run } from "@planloom/core"
import { worker } from "@planloom/record/worker"
import { handler, newApiKey, type ApiOptions } from "@planloom/server"
import { payment, type Declared } from "./payment.ts"
import { newFile, storeAt } from "./store.ts"

const declared: Declared = {
  to: { type: "string" },
  amount: { type: "integer" },
  email: { type: "string", personal: true },
}
const inputs = { to: "ann", amount: 10, email: "ann@example.org" }

/** A server that has not started the run `r`, which waits for its approval. */
const serving = Effect.fnUntraced(function* (options: Partial<ApiOptions> = {}) {
  const store = storeAt(newFile())
  const { loaded, pipeline, seen } = yield* payment(declared)
  yield* run(pipeline, inputs, { store, run: "r" })
  const ends = yield* Queue.unbounded<string>()
  const running = yield* worker(store, {
    load: () => Effect.succeed(loaded),
    onEnd: ({ exit }) => Queue.offerUnsafe(ends, exit._tag),
  })
  const workflows = new Map([["payment", { ...loaded, definition: null }]])
  const handle = handler({ store, worker: running, workflows, ...options })
  const post = (path: string, body: object, headers: { readonly [name: string]: string } = {}) =>
    Effect.promise(async () => {
      const response = await handle(
        new Request(`http://localhost${path}`, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        }),
      )
      return { status: response.status, body: (await response.json()) as any }
    })
  return { ends, post, seen, store }
})

const again = { inputs: { email: inputs.email } }

describe("a resume over HTTP", () => {
  it.live.each([
    [{ to: "mallory", amount: 99_999 }, ["/inputs/to", "/inputs/amount"]],
    [{ ...inputs, to: "mallory" }, ["/inputs/to", "/inputs/amount"]],
    [{ email: "mallory@example.org" }, ["/inputs/email"]],
    [{ email: 7 }, ["/inputs/email"]],
    [{ nope: 1 }, ["/inputs/nope"]],
  ] as const)("refuses %j by name, and the run ends with its own inputs", ([brought, paths]) =>
    Effect.gen(function* () {
      const { ends, post, seen, store } = yield* serving()
      const before = yield* store.read("r")
      const refused = yield* post("/runs/r/resume", { inputs: brought })
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual(
        refused.body.issues.map(({ path }: { path: string }) => path),
        paths,
      )
      assert.deepStrictEqual(yield* store.read("r"), before)
      assert.strictEqual((yield* post("/runs/r/resume", again)).status, 202)
      assert.strictEqual((yield* post("/runs/r/answers/ok", { value: true })).status, 200)
      assert.strictEqual(yield* Queue.take(ends), "Success")
      assert.deepStrictEqual(seen, [inputs, inputs])
    }),
  )

  it.live("shows no inputs in its reply, nor do an answer and a cancellation", () =>
    Effect.gen(function* () {
      const { ends, post, store } = yield* serving()
      const replies = [
        yield* post("/runs/r/resume", again),
        yield* post("/runs/r/answers/ok", { value: true }),
      ]
      yield* Queue.take(ends)
      const { pipeline } = yield* payment(declared)
      yield* run(pipeline, inputs, { store, run: "t" })
      yield* post("/runs/t/resume", again)
      replies.push(yield* post("/runs/t/cancel", {}))
      for (const { body, status } of replies) {
        assert.isBelow(status, 300)
        assert.strictEqual(body.workflow, "payment")
        assert.notProperty(body, "inputs")
        assert.notInclude(JSON.stringify(body), "ann")
      }
    }),
  )

  it.live("is recorded with the name of the key that asked for it, which is spent", () =>
    Effect.gen(function* () {
      const { key, stored } = yield* Effect.promise(() =>
        newApiKey({ name: "night shift", scopes: ["runs:write"], createdAt: 1 }),
      )
      const keys = {
        find: (id: string) => (id === stored.id ? stored : undefined),
        isRequired: () => true,
      }
      const { ends, post, store } = yield* serving({ keys })
      const headers = { authorization: `Bearer ${key}` }
      assert.strictEqual((yield* post("/runs/r/resume", again)).status, 401)
      yield* post("/runs/r/resume", again, headers)
      yield* post("/runs/r/answers/ok", { value: true, by: "boss" }, headers)
      assert.strictEqual(yield* Queue.take(ends), "Success")
      const resumes = (yield* store.events("r")).filter(({ type }) => type === "RunResumed")
      assert.deepStrictEqual(
        resumes.map((event) => ("by" in event ? event.by : undefined)),
        ["key:night shift"],
      )
    }),
  )

  it.live("is no start of another run under the same key", () =>
    Effect.gen(function* () {
      const { ends, post } = yield* serving()
      const starts = (email: string) =>
        post(
          "/workflows/payment/runs",
          { inputs: { ...inputs, email } },
          { "idempotency-key": "k" },
        )
      assert.strictEqual((yield* starts("ann@example.org")).status, 202)
      assert.strictEqual(yield* Queue.take(ends), "Success")
      assert.strictEqual((yield* starts("mallory@example.org")).status, 409)
      assert.strictEqual((yield* starts("ann@example.org")).status, 200)
    }),
  )
})
