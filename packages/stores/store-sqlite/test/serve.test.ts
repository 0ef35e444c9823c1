/** The HTTP API without a socket: accepted requests, rejected requests and their problem replies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RecordedRun, RunEvent, StoredWait } from "@planloom/plugin/effect"
import { handler } from "@planloom/server"
import type { ApiOptions } from "@planloom/server"
import { newFile, storeAt } from "./store.ts"

const question = (name: string, more: Partial<StoredWait["wait"]> = {}): StoredWait => ({
  askedAt: 1,
  wait: {
    name,
    kind: "signal",
    path: "ask",
    message: `${name}?`,
    schema: { type: "integer" },
    ...more,
  },
})

const events: ReadonlyArray<RunEvent> = [
  { type: "RunStarted", seq: 0, at: 1, run: "r", workflow: "test", inputs: {} },
  { type: "RunSuspended", seq: 1, at: 2, waits: [] },
]

const recorded = (run: string, waits: ReadonlyArray<StoredWait>): RecordedRun => ({
  run,
  workflow: "test",
  status: "suspended",
  inputs: {},
  startedAt: 1,
  steps: [],
  timers: {},
  waits,
  events,
})

const setting = Effect.fnUntraced(function* (options: Partial<ApiOptions> = {}) {
  const store = storeAt(newFile())
  yield* store.write(
    recorded("r", [
      question("a/b#1"),
      question("late", { expiresAt: 5 }),
      { ...question("done"), answer: { value: 1, by: "ann", at: 7 } },
    ]),
  )
  const handle = handler({ store, ...options }, "/api")
  const ask = (path: string, init: RequestInit = {}, host = "localhost") =>
    Effect.promise(async () => {
      const response = await handle(new Request(`http://${host}/api${path}`, init))
      const text = await response.text()
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        headers: response.headers,
        body: (text === "" ? null : JSON.parse(text)) as any,
      }
    })
  const post = (path: string, body: string, type = "application/json") =>
    ask(path, { method: "POST", body, headers: { "content-type": type } })
  return { ask, post, store }
})

describe("the HTTP API", () => {
  it.effect("accepts an answer once; a second answer gets 409 with the first one's author", () =>
    Effect.gen(function* () {
      const { ask, post, store } = yield* setting()
      const path = "/runs/r/answers/a/b%231"
      assert.deepStrictEqual((yield* ask("/waits?workflow=test")).body, [
        { run: "r", workflow: "test", ...question("a/b#1") },
      ])
      const invalid = yield* post(path, '{"value": "x"}')
      assert.strictEqual(invalid.status, 422)
      assert.strictEqual(invalid.type, "application/problem+json")
      assert.deepStrictEqual(invalid.body.issues, [{ path: "", message: "must be integer" }])
      assert.strictEqual((yield* post(path, "{}")).status, 422)
      assert.strictEqual((yield* post(path, '{"value": 1, "who": "me"}')).status, 422)
      assert.strictEqual((yield* post(path, '{"value": 3, "by": "bob"}')).status, 200)
      const again = yield* post("/runs/r/answers/a%2Fb%231", '{"value": 4}')
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.body.by, "bob")
      const before = yield* post("/runs/r/answers/done", '{"value": 4}')
      assert.deepStrictEqual([before.body.by, before.body.at], ["ann", "1970-01-01T00:00:00.007Z"])
      const { waits } = yield* store.read("r")
      assert.strictEqual(waits.find(({ wait }) => wait.name === "a/b#1")?.answer?.value, 3)
      assert.strictEqual((yield* post("/runs/r/answers/none", '{"value": 4}')).status, 404)
      assert.strictEqual((yield* post("/runs/x/answers/none", '{"value": 4}')).status, 404)
    }),
  )

  it.effect("lists open questions in pages", () =>
    Effect.gen(function* () {
      const { ask, store } = yield* setting()
      const names = Array.from({ length: 250 }, (_, n) => `q${String(n).padStart(3, "0")}`)
      yield* store.write(
        recorded(
          "many",
          names.map((name) => question(name)),
        ),
      )
      const found: Array<string> = []
      let path: string | undefined = "/waits?run=many&limit=120"
      while (path !== undefined) {
        const page: { readonly body: any; readonly headers: Headers } = yield* ask(path)
        const { body, headers } = page
        assert.strictEqual(headers.get("x-total-count"), "250")
        found.push(...body.map(({ wait }: any) => wait.name))
        const [, next]: ReadonlyArray<string | undefined> =
          /^<\/api([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "") ?? []
        path = next
      }
      assert.deepStrictEqual(found, names)
      assert.lengthOf((yield* ask("/waits?run=many")).body, 100)
      for (const wrong of ["limit=0", "offset=-1", "offset=x", "page=2"]) {
        assert.strictEqual((yield* ask(`/waits?${wrong}`)).status, 422, wrong)
      }
    }),
  )

  it.live("rejects an answer to an expired question with 410", () =>
    Effect.gen(function* () {
      const { post } = yield* setting()
      const late = yield* post("/runs/r/answers/late", '{"value": 4}')
      assert.deepStrictEqual([late.status, late.body.title], [410, "The question has expired"])
    }),
  )

  it.effect("rejects malformed requests with a status and the position of the error", () =>
    Effect.gen(function* () {
      const { ask, post } = yield* setting({ maxBody: 64 })
      const path = "/runs/r/answers/a"
      const broken = yield* post(path, '{\n "value": yes }')
      assert.strictEqual(broken.status, 400)
      assert.deepStrictEqual(
        [broken.body.line, broken.body.col, broken.body.type],
        [2, 11, "urn:planloom:problem:invalid_json"],
      )
      assert.strictEqual((yield* post(path, "value=4", "text/plain")).status, 415)
      assert.strictEqual(
        (yield* post(path, "value=4", "application/x-www-form-urlencoded")).status,
        415,
      )
      assert.strictEqual((yield* post(path, JSON.stringify("x".repeat(64)))).status, 413)
      assert.strictEqual((yield* post(path, "[1]")).status, 422)
      const endless = new ReadableStream<Uint8Array>({
        pull: (to) => to.enqueue(new Uint8Array(16).fill(32)),
      })
      const init = { method: "POST", body: endless, duplex: "half" }
      const headers = { "content-type": "application/json" }
      assert.strictEqual((yield* ask(path, { ...init, headers } as RequestInit)).status, 413)
      assert.strictEqual((yield* ask("/runs/%E0%A4%A")).status, 400)
      assert.strictEqual((yield* ask("/nowhere")).status, 404)
      const wrong = yield* ask("/runs", { method: "DELETE" })
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET"])
      for (const query of ["limit=0", "status=gone", "since=soon", "failed_with=luck", "a=b"]) {
        assert.strictEqual((yield* ask(`/runs?${query}`)).status, 422, query)
      }
      assert.strictEqual((yield* ask("/runs?since=2h&limit=5")).status, 200)
      assert.strictEqual((yield* ask("/runs/r/events?from=x")).status, 422)
    }),
  )

  it.effect("cancels no run without a worker, and accepts only its hosts and token", () =>
    Effect.gen(function* () {
      const { ask, post } = yield* setting({ hosts: ["localhost"], token: "secret" })
      assert.strictEqual((yield* ask("/health")).status, 200)
      assert.strictEqual((yield* ask("/health", {}, "rebound.example")).status, 403)
      const unauthorized = yield* post("/runs/r/cancel", "{}")
      assert.deepStrictEqual(
        [unauthorized.status, unauthorized.headers.get("www-authenticate")],
        [401, "Bearer"],
      )
      const authorized = { authorization: "Bearer secret", "content-type": "application/json" }
      const cancel = yield* ask("/runs/r/cancel", { method: "POST", headers: authorized })
      assert.deepStrictEqual([cancel.status, cancel.body.detail], [503, "the server has no worker"])
    }),
  )
})
