/** Parts of streamed outputs over HTTP: server-sent events beside those of the run. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@planloom/embed"
import { definePlugin, stageKind, type ModelPart } from "@planloom/plugin/effect"
import { worker } from "@planloom/record/worker"
import { handler, RunParts } from "@planloom/server"
import { Deferred, Effect, Stream } from "effect"
import { eventReader } from "./eventReader.ts"
import { newFile, storeAt } from "./store.ts"

const reply = stageKind<object>({
  id: "reply",
  summary: "Replies as its model does.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const text = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: [p] }
stages: [{ id: say, uses: reply, model: vendor/any }]
outputs: { answer: { type: string, value: "\${{ stages.say.output.text }}", stream: true } }
`

const finish: ModelPart = { type: "finish", reason: "stop", usage: { input: 1, output: 2 } }
const part = (piece: string): ModelPart => ({ type: "text", text: piece })

/** A server whose model writes `first`, then waits for `go`, then writes the rest. */
const serving = Effect.fnUntraced(function* (first: string, rest: Iterable<string>) {
  const go = yield* Deferred.make<void>()
  const provider = {
    id: "vendor",
    summary: "Waits.",
    stream: () =>
      Stream.concat(
        Stream.make(part(first)),
        Stream.concat(
          Stream.rechunk(
            Stream.unwrap(Effect.as(Deferred.await(go), Stream.fromIterable(rest))),
            1,
          ),
          Stream.empty,
        ).pipe(Stream.map(part), Stream.concat(Stream.make(finish))),
      ),
  }
  const { pipeline, secrets } = yield* load("w.yaml", {
    plugins: {
      p: async () =>
        definePlugin({
          id: "p",
          summary: "Test.",
          components: { stages: [reply], providers: [provider] },
        }),
    },
    texts: new Map([["w.yaml", text]]),
  })
  const store = storeAt(newFile())
  const parts = new RunParts()
  const ended = yield* Deferred.make<string>()
  const attendant = yield* worker(store, {
    load: () => Effect.succeed({ pipeline, secrets }),
    options: ({ run }) => ({ onPart: parts.of(run) }),
    onEnd: ({ exit, run }) => {
      parts.end(run)
      Deferred.doneUnsafe(ended, Effect.succeed(exit._tag))
    },
    every: 50,
  })
  const handle = handler({
    store,
    worker: attendant,
    parts,
    workflows: new Map([["w", { pipeline, secrets, definition: "w" }]]),
  })
  const start = (accept = "text/event-stream", id = "r") =>
    Effect.promise(() =>
      handle(
        new Request("http://localhost/workflows/w/runs", {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/json", accept, "idempotency-key": id },
        }),
      ),
    )
  const follow = (id = "r") =>
    Effect.promise(() =>
      handle(
        new Request(`http://localhost/runs/${id}/events`, {
          headers: { accept: "text/event-stream" },
        }),
      ),
    )
  return { start, follow, ended: Deferred.await(ended), go: Deferred.succeed(go, undefined), store }
})

describe("the event stream of a run", () => {
  it.live("carries parts while the model writes, and ends after the last one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { go, start } = yield* serving("Hello", [" you", " there"])
        const client = eventReader(yield* start())
        yield* client.until(() => client.text() === "Hello")
        yield* go
        yield* client.rest
        assert.strictEqual(client.text(), "Hello you there")
        assert.deepInclude(client.parts().at(-1), { type: "settled", output: "answer" })
        const last = client.messages.at(-1)!
        assert.deepInclude(last.data, { run: "r", status: "succeeded" })
        assert.strictEqual(last.event, "end")
        assert.include(
          client.messages.map(({ data }) => data.type),
          "RunFinished",
        )
      }),
    ),
  )

  it.live("gives the text so far to a client that connects later", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { follow, go, start } = yield* serving("Hello", [" you"])
        const first = eventReader(yield* start())
        yield* first.until(() => first.text() === "Hello")
        yield* first.leave
        const second = eventReader(yield* follow())
        yield* second.until(() => second.text() === "Hello")
        yield* go
        yield* second.rest
        assert.strictEqual(second.text(), "Hello you")
      }),
    ),
  )

  it.live("does not hold up the run or grow with it when its client stops reading", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const line = "x".repeat(1000)
        const { ended, go, start } = yield* serving(
          "Hello",
          Array.from({ length: 3000 }, () => line),
        )
        const client = eventReader(yield* start())
        yield* client.until(() => client.text() === "Hello")
        yield* go
        // Not read from here on.
        assert.strictEqual(yield* ended, "Success")
        const failure = yield* Effect.flip(
          Effect.tryPromise({ try: () => Effect.runPromise(client.rest), catch: String }),
        )
        assert.include(failure, "reads too slowly")
        assert.isBelow(client.text().length, 2_500_000)
      }),
    ),
  )

  it.live("continues the run when its client has gone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ended, go, start, store } = yield* serving("Hello", [" you"])
        const client = eventReader(yield* start())
        yield* client.until(() => client.text() === "Hello")
        yield* client.leave
        yield* go
        assert.strictEqual(yield* ended, "Success")
        assert.strictEqual((yield* store.show("r"))?.status, "succeeded")
      }),
    ),
  )
})
