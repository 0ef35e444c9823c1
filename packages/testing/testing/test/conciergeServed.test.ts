/** The concierge behind the HTTP API: a conversation of a customer, an approval as a button, and what others get of it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { worker } from "@planloom/record/worker"
import { handler } from "@planloom/server"
import { openStore } from "@planloom/store-sqlite"
import { ana, openConcierge } from "./concierge/concierge.ts"

const sam = { ...ana, id: "sam", name: "Sam Reed", tier: "free" }
const customers: { readonly [cookie: string]: typeof ana } = { ana, sam }

/** A stream stays open while its run waits for an answer. */
const readUntilWaiting = async ({ body }: Response): Promise<string> => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.includes('"type":"RunSuspended"')) break
  }
  return text
}

const served = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "served-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
  )
  const { pipeline, transfers } = yield* openConcierge("none")
  const store = yield* openStore(join(folder, "runs.db"))
  const running = yield* worker(store, { load: () => Effect.succeed({ pipeline, secrets: [] }) })
  const definition: Json = "concierge"
  const handle = handler({
    store,
    worker: running,
    workflows: new Map([["concierge", { pipeline, secrets: [], definition }]]),
    authenticate: (request): { readonly refusal: string } | { readonly user: typeof ana } => {
      const user = customers[request.headers.get("cookie") ?? ""]
      return user === undefined ? { refusal: "log in first" } : { user }
    },
  })
  const ask = (cookie: string, method: string, path: string, body?: JsonObject, stream = false) =>
    Effect.promise(() =>
      handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            cookie,
            "content-type": "application/json",
            ...(stream ? { accept: "text/event-stream" } : {}),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    )
  /** The run of a message, once its stream has ended or it waits. */
  const say = (cookie: string, session: string, message: string) =>
    Effect.gen(function* () {
      const path = "/workflows/concierge/runs"
      const response = yield* ask(cookie, "POST", path, { inputs: { message }, session }, true)
      const text = yield* Effect.promise(() => readUntilWaiting(response))
      const events = text.split("\n").flatMap((line) => {
        if (!line.startsWith("data: ")) return []
        return [JSON.parse(line.slice("data: ".length)) as JsonObject]
      })
      const run = String(events.find(({ type }) => type === "RunStarted")?.["run"])
      return { status: response.status, text, run }
    })
  const shown = (cookie: string, path: string) =>
    Effect.flatMap(ask(cookie, "GET", path), (response) =>
      Effect.promise(async () => ({
        status: response.status,
        body: (await response.json()) as any,
      })),
    )
  return { ask, say, shown, transfers }
})

describe("the concierge over HTTP", () => {
  it.live("leads a customer to a transfer that is approved by a request of theirs", () =>
    Effect.gen(function* () {
      const { ask, say, shown, transfers } = yield* served
      const quoted = yield* say("ana", "web", "send 100 dollars to Rosa")
      assert.strictEqual(quoted.status, 200, quoted.text)
      assert.include(quoted.text, "Send the money (recipient Rosa Ortega): is that right?")
      const corrected = yield* say("ana", "web", "no, 25")
      assert.include(corrected.text, "436.25 MXN")
      const asking = yield* say("ana", "web", "yes")
      assert.strictEqual(transfers(), 0)
      // Another message is no answer, and another customer sees nothing of it.
      const early = yield* ask("ana", "POST", "/workflows/concierge/runs", {
        inputs: { message: "hello?" },
        session: "web",
      })
      assert.strictEqual(early.status, 409)
      assert.strictEqual((yield* shown("sam", `/runs/${asking.run}`)).status, 404)
      const { body } = yield* shown("ana", `/waits?run=${asking.run}`)
      const { fields, name } = (body.waits ?? body)[0].wait
      assert.deepInclude(fields, { name: "amount", label: "amount", value: "25.00 USD" })
      const path = `/runs/${asking.run}/answers/${encodeURIComponent(name)}`
      const foreign = yield* ask("sam", "POST", path, { value: { approved: true } })
      assert.strictEqual(foreign.status, 404)
      const answered = yield* ask("ana", "POST", path, { value: { approved: true } })
      assert.strictEqual(answered.status, 200)
      const rest = yield* ask("ana", "GET", `/runs/${asking.run}/events`, undefined, true)
      assert.include(yield* Effect.promise(() => rest.text()), "T-1")
      assert.strictEqual(transfers(), 1)
      const thanked = yield* say("ana", "web", "thanks")
      assert.include(thanked.text, "You are welcome")
    }),
  )

  it.live(
    "keeps the same session of two customers apart, and serves no request without a login",
    () =>
      Effect.gen(function* () {
        const { ask, say } = yield* served
        yield* say("ana", "web", "send 100 dollars to Rosa")
        const other = yield* say("sam", "web", "yes")
        assert.include(other.text, "nothing to confirm")
        const path = "/workflows/concierge/runs"
        const unknown = yield* ask("eve", "POST", path, { inputs: { message: "hi" } })
        assert.strictEqual(unknown.status, 401)
      }),
  )
})
