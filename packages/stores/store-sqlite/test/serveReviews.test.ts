/** Later reviews of runs that a server executes: what its clients receive, and what a server that stops leaves. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@planloom/embed"
import type { Correction } from "@planloom/plugin/effect"
import { worker } from "@planloom/record/worker"
import { handler, RunParts } from "@planloom/server"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { eventReader } from "./eventReader.ts"
import { reviewedBy } from "./reviewedBy.ts"
import { newFile, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: [p] }
session: { request: hi, assistant: "\${{ stages.say.output.text }}" }
stages: [{ id: say, uses: reply, model: fake/any, with: { say: A promise. }, late: one }]
outputs: { answer: { type: string, value: "\${{ stages.say.output.text }}", stream: true } }
`

const retracted: Correction = { action: "retract", text: "Withdrawn." }

/** A server whose run `r` of the session `s` is reviewed until `decide`. */
const serving = Effect.fnUntraced(function* (drain?: number, path = newFile()) {
  const decided = yield* Deferred.make<void>()
  // As a reviewer that asks a model twice.
  const review = reviewedBy((_which, _text, { step }) =>
    Deferred.await(decided).pipe(
      Effect.andThen(step("again", Effect.succeed(null))),
      Effect.as(retracted),
    ),
  )
  const ready = yield* load("w.yaml", {
    plugins: { p: async () => review },
    texts: new Map([["w.yaml", text]]),
  })
  const store = storeAt(path)
  const parts = new RunParts()
  const scope = yield* Scope.make()
  const attendant = yield* Scope.provide(
    worker(store, {
      load: () => Effect.succeed(ready),
      options: ({ run }) => ({ onPart: parts.of(run) }),
      onEnd: ({ run }) => parts.end(run),
      every: 50,
      ...(drain === undefined ? {} : { drain }),
    }),
    scope,
  )
  const handle = handler({
    store,
    worker: attendant,
    parts,
    workflows: new Map([["w", { ...ready, definition: "w" }]]),
  })
  const ask = (url: string, init: RequestInit) =>
    Effect.promise(() => handle(new Request(`http://localhost${url}`, init)))
  const accept = "text/event-stream"
  const start = ask("/workflows/w/runs", {
    method: "POST",
    body: JSON.stringify({ session: "s" }),
    headers: { "content-type": "application/json", accept, "idempotency-key": "r" },
  })
  const follow = (last?: string) =>
    ask("/runs/r/events", {
      headers: { accept, ...(last === undefined ? {} : { "last-event-id": last }) },
    })
  return {
    attendant,
    path,
    store,
    start,
    follow,
    decide: Deferred.succeed(decided, undefined),
    close: Scope.close(scope, Exit.void),
    turns: Effect.map(store.sessions.load("s"), (session) =>
      session?.turns.map(({ assistant }) => assistant),
    ),
  }
})

type Reader = ReturnType<typeof eventReader>

const has = ({ messages }: Reader, type: string): boolean =>
  messages.some(({ data }) => data.type === type)

const outputs = ({ messages }: Reader) =>
  messages.flatMap(({ data, event }) =>
    event === "part"
      ? [`part ${data.type} ${data.text ?? data.cause ?? data.revision}`]
      : data.type === "OutputReady"
        ? [`OutputReady ${data.value}`]
        : data.type === "OutputCorrected"
          ? [`OutputCorrected ${data.revision} ${data.action} ${data.text}`]
          : event === "end"
            ? [`end ${data.status}`]
            : [],
  )

describe("the event stream of a run that is reviewed after its outputs have left", () => {
  it.live("has the output, then its correction, then the end", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { close, decide, start, turns } = yield* serving()
        const client = eventReader(yield* start)
        yield* client.until(() => has(client, "OutputReady"))
        assert.isFalse(has(client, "RunFinished"))
        yield* decide
        yield* client.rest
        assert.deepStrictEqual(
          outputs(client).filter((one) => !one.startsWith("part")),
          ["OutputReady A promise.", "OutputCorrected 2 retract Withdrawn.", "end succeeded"],
        )
        assert.deepStrictEqual(
          outputs(client).filter((one) => one.startsWith("part")),
          [
            "part text A promise.",
            "part settled 1",
            "part reset verdict",
            "part text Withdrawn.",
            "part settled 2",
          ],
        )
        assert.deepStrictEqual(yield* turns, ["Withdrawn."])
        yield* close
      }),
    ),
  )

  it.live("has the correction for a client that connects again, before or after the review", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { close, decide, follow, start } = yield* serving()
        const first = eventReader(yield* start)
        yield* first.until(() => has(first, "OutputReady"))
        yield* first.leave
        const { id } = first.messages.find(({ data }) => data.type === "OutputReady")!
        const before = eventReader(yield* follow(id))
        yield* before.until(() => before.text() === "A promise.")
        yield* decide
        yield* before.rest
        const after = eventReader(yield* follow(id))
        yield* after.rest
        for (const client of [before, after]) {
          assert.deepStrictEqual(
            outputs(client).filter((one) => !one.startsWith("part")),
            ["OutputCorrected 2 retract Withdrawn.", "end succeeded"],
          )
        }
        assert.includeMembers(
          [...outputs(before)],
          ["part reset verdict", "part text Withdrawn.", "part settled 2"],
        )
        yield* close
      }),
    ),
  )
})

describe("a server that stops while a run is reviewed", () => {
  it.live("waits for the review, and records the run and its turn", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { attendant, close, decide, start, store, turns } = yield* serving()
        const client = eventReader(yield* start)
        yield* client.until(() => has(client, "OutputReady"))
        const closing = yield* Effect.forkChild(close)
        while (!attendant.stopping) yield* Effect.yieldNow
        yield* decide
        yield* client.rest
        yield* Fiber.join(closing)
        assert.strictEqual((yield* store.show("r"))?.status, "succeeded")
        assert.include(outputs(client), "OutputCorrected 2 retract Withdrawn.")
        assert.deepStrictEqual(yield* turns, ["Withdrawn."])
      }),
    ),
  )

  it.live(
    "leaves a review that outlasts `drain` to the next server, which corrects the output",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { close, path, start, store, turns } = yield* serving(20)
          const client = eventReader(yield* start)
          yield* client.until(() => has(client, "OutputReady"))
          yield* close
          yield* client.leave
          assert.strictEqual((yield* store.show("r"))?.status, "running")
          assert.isUndefined(yield* turns)
          const next = yield* serving(undefined, path)
          yield* next.decide
          const other = eventReader(yield* next.follow())
          yield* other.rest
          assert.include(outputs(other), "OutputCorrected 2 retract Withdrawn.")
          assert.deepStrictEqual(
            outputs(other).filter((one) => one.startsWith("OutputReady")),
            ["OutputReady A promise."],
          )
          assert.deepStrictEqual(yield* next.turns, ["Withdrawn."])
          yield* next.close
        }),
      ),
  )
})
