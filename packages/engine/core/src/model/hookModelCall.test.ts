/** Hooks around a prompt and a model call: the request that is sent, records, cassettes and failures. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  hook,
  ModelFailed,
  stageKind,
  type AnyHook,
  type Json,
  type ModelRequest,
  type Provider,
  type RunEvent,
} from "@planloom/plugin/effect"
import { recordCassette, replayCassette } from "@planloom/testing"
import { collect } from "../../test/collect.ts"
import { hookedWorkflow } from "../../test/hooked.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"

/** A model that fails so many times as unavailable, and keeps its requests. */
const modelThat = (fails = 0, id = "fake") => {
  const requests: Array<ModelRequest> = []
  const provider: Provider = {
    id,
    summary: "Keeps its requests.",
    generate: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return requests.length <= fails
          ? Effect.fail(
              new ModelFailed({ class: "unavailable", model: `${id}/any`, message: "away" }),
            )
          : Effect.succeed({
              text: "fine",
              reasoning: "",
              toolCalls: [],
              finish: "stop" as const,
              usage: { input: 7, output: 3 },
            })
      }),
  }
  return { provider, requests }
}

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks with two sections of its own.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(
      model.text({
        messages: [{ role: "user", content: "Hello" }],
        prompt: {
          sections: [
            { id: "tone", text: "Be calm.", stable: true },
            { id: "task", text: "Greet.", stable: false },
          ],
        },
      }),
      ({ text }): Json => text,
    ),
})

const body = (hooks: ReadonlyArray<AnyHook>, more = "try: [fake/any]") => `
models: { any: { ${more} } }
hooks: [${hooks.map(({ id }) => `{ use: ${id}, on_error: fail }`).join(", ")}]
stages: [{ id: work, uses: ask, model: any }]
outputs: { said: "\${{ stages.work.output }}" }
`

const workflow = (
  hooks: ReadonlyArray<AnyHook>,
  providers: ReadonlyArray<Provider>,
  more?: string,
) => hookedWorkflow(body(hooks, more), hooks, { stages: [ask], providers })

const summary = "A hook of a test."

const louder = hook<"section_build">({
  id: "louder",
  summary,
  point: "section_build",
  kind: "transform",
  run: ({ id, text }) => (id === "tone" ? { text: `${text} Be brief.` } : undefined),
})

const adds = hook<"post_assembly">({
  id: "adds",
  summary,
  point: "post_assembly",
  kind: "transform",
  run: ({ sections }) => ({
    sections: [
      ...sections,
      { id: "rule", text: "Never shout.", source: "adds", stable: false, tokens: 4 },
    ],
  }),
})

const asks = hook<"before_model">({
  id: "asks",
  summary,
  point: "before_model",
  kind: "transform",
  run: ({ messages, system }) => ({
    messages: [
      ...messages,
      { role: "user", content: `After ${system.map(({ id }) => id).join(" and ")}.` },
    ],
  }),
})

const faults: { readonly [fault: string]: () => unknown } = {
  throws: () => {
    throw new Error("boom")
  },
  "takes too long": () => Effect.never,
  "interrupts itself": () => Effect.andThen(Effect.yieldNow, Effect.interrupt),
  "returns a foreign field": () => ({ foreign: 1 }),
  "returns no patch and no finding": () => "x",
}

const textOf = ({ system }: ModelRequest): string => system.map(({ text }) => text).join("\n\n")

describe("hooks of a prompt and a model call", () => {
  it.effect("change what is sent, each at its point", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const sees = (point: "pre_assembly" | "tools_build" | "after_model") =>
        hook({
          id: point,
          summary,
          point,
          kind: "observe",
          run: (draft: unknown) => void seen.push(JSON.stringify(draft)),
        } as never)
      const { provider, requests } = modelThat()
      const { pipeline } = yield* workflow(
        [sees("pre_assembly"), louder, sees("tools_build"), adds, asks, sees("after_model")],
        [provider],
      )
      const { events, result } = yield* collect(pipeline)
      assert.strictEqual(result.status, "succeeded", result.failure?.message)
      assert.strictEqual(textOf(requests[0]!), "Be calm. Be brief.\n\nGreet.\n\nNever shout.")
      assert.deepStrictEqual(
        requests[0]!.messages.map(({ content }) => content),
        ["Hello", "After tone and task and rule."],
      )
      assert.deepStrictEqual(
        seen.map((draft) => JSON.parse(draft) as Json),
        [
          { request: "Hello", mode: "", vars: {}, sections: [] },
          { offers: [] },
          {
            reply: {
              text: "fine",
              reasoning: "",
              toolCalls: [],
              finish: "stop",
              usage: { input: 7, output: 3 },
              model: "fake/any",
            },
          },
        ],
      )
      assert.deepStrictEqual(
        events.flatMap((event) =>
          event.type === "HookRan" ? [[event.hook, event.of, event.changed]] : [],
        ),
        [
          ["louder", "tone", ["text"]],
          ["adds", undefined, ["sections"]],
          ["asks", "fake/any", ["messages"]],
        ],
      )
    }),
  )

  it.effect("do not run again for a call that has a record", () =>
    Effect.gen(function* () {
      let runs = 0
      const counts = (point: "pre_assembly" | "before_model" | "after_model") =>
        hook({ id: point, summary, point, kind: "observe", run: () => void runs++ } as never)
      const stops = hook<"after_stage">({
        id: "stops",
        summary,
        point: "after_stage",
        kind: "transform",
        run: () => (runs === 3 ? Effect.die("killed") : undefined) as never,
      })
      const { provider, requests } = modelThat()
      const hooks = [counts("pre_assembly"), counts("before_model"), counts("after_model"), stops]
      const { pipeline } = yield* workflow(hooks, [provider])
      const { steps, ...rest } = emptyRecording()
      const go = () => collect(pipeline, {}, { journal: recordingJournal({ steps, ...rest }) })
      assert.strictEqual((yield* go()).result.status, "failed")
      // As if the process had been killed before the attempt was recorded.
      for (const name of steps.keys()) if (!name.includes("/model:1:")) steps.delete(name)
      assert.deepStrictEqual([...steps.keys()], ["work/model:1/model:1:fake:any"])
      runs = 10
      assert.strictEqual((yield* go()).result.status, "succeeded")
      assert.strictEqual(runs, 10)
      assert.strictEqual(requests.length, 1)
    }),
  )

  it.effect("run again for the next model", () =>
    Effect.gen(function* () {
      const first = modelThat(1)
      const second = modelThat(0, "other")
      const { pipeline } = yield* workflow(
        [louder, asks],
        [first.provider, second.provider],
        "try: [fake/any, other/any]",
      )
      yield* collect(pipeline)
      assert.strictEqual(first.requests[0]!.messages.length, 2)
      assert.strictEqual(second.requests[0]!.messages.length, 2)
      assert.strictEqual(textOf(second.requests[0]!), "Be calm. Be brief.\n\nGreet.")
    }),
  )

  it.live("are not run by a replayed cassette, which is stale once they are others", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "planloom-hooks-"))
      let runs = 0
      const counted = {
        ...asks,
        run: (draft: never, context: never) => (runs++, asks.run(draft, context)),
      }
      const { provider } = modelThat()
      const { pipeline } = yield* workflow([louder, counted as AnyHook], [provider])
      const cassette = yield* recordCassette(folder, "test")
      const made = yield* collect(pipeline, {}, { cassette })
      const again = yield* collect(pipeline, {}, { cassette: yield* replayCassette(folder) })
      assert.strictEqual(again.result.failure?.message, undefined)
      assert.deepStrictEqual(again.result.outputs, made.result.outputs)
      assert.strictEqual(runs, 1)
      const without = yield* workflow([louder], [provider])
      const { result } = yield* collect(
        without.pipeline,
        {},
        { cassette: yield* replayCassette(folder) },
      )
      assert.strictEqual(result.status, "failed")
    }),
  )

  it.live("are recorded with one warning of an unknown mode, as without a cassette", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "planloom-hooks-"))
      writeFileSync(join(folder, "base.md"), "Be kind.")
      const { provider } = modelThat()
      const { pipeline } = yield* hookedWorkflow(
        `
inputs: { mode: { type: string, default: fancy } }
models: { any: { try: [fake/any] } }
prompts: { base: "${join(folder, "base.md")}" }
hooks: [{ use: louder }]
stages: [{ id: work, uses: ask, model: any, prompt: { use: base, mode: "\${{ inputs.mode }}" } }]
outputs: { said: "\${{ stages.work.output }}" }
`,
        [louder],
        { stages: [ask], providers: [provider] },
      )
      const cassette = yield* recordCassette(join(folder, "cassette"), "test")
      for (const options of [{ cassette }, {}]) {
        const { events } = yield* collect(pipeline, {}, options)
        const warnings = events.filter(
          (event) => event.type === "Noted" && event.note === "unknown_mode",
        )
        assert.lengthOf(warnings, 1)
      }
    }),
  )

  it.effect.each(["section_build", "before_model"] as const)(
    "that fail at %s fail the call before it is sent, and ask no other model",
    (point) =>
      Effect.gen(function* () {
        const bad = hook({
          id: "bad",
          summary,
          point,
          kind: "transform",
          run: () =>
            Effect.fail(new ModelFailed({ class: "timeout", model: "x/y", message: "late" })),
        } as never)
        const { provider, requests } = modelThat()
        const other = modelThat(0, "other")
        const { pipeline } = yield* workflow(
          [bad],
          [provider, other.provider],
          "try: [fake/any, other/any]",
        )
        const { result } = yield* collect(pipeline)
        assert.strictEqual(result.failure?.message, `the hook "bad" failed at ${point}: late`)
        assert.deepStrictEqual([...requests, ...other.requests], [])
      }),
  )

  for (const point of [
    "pre_assembly",
    "section_build",
    "tools_build",
    "post_assembly",
    "before_model",
    "after_model",
  ] as const) {
    it.effect.each(Object.entries(faults))(
      `of which one %s at ${point} leave the request unchanged, or fail the call`,
      ([, run]) =>
        Effect.gen(function* () {
          const kind = point === "after_model" ? "review" : "transform"
          const bad = hook({ id: "bad", summary, point, kind, timeout: "2s", run } as never)
          for (const onError of ["skip", "fail"]) {
            const { provider, requests } = modelThat()
            const { pipeline } = yield* hookedWorkflow(
              body([]).replace("hooks: []", `hooks: [{ use: bad, on_error: ${onError} }]`),
              [bad],
              { stages: [ask], providers: [provider] },
            )
            const fiber = yield* Effect.forkChild(collect(pipeline))
            yield* TestClock.adjust("5 seconds")
            const { result } = yield* Fiber.join(fiber)
            if (onError === "skip") {
              assert.strictEqual(result.status, "succeeded", result.failure?.message)
              assert.strictEqual(textOf(requests[0]!), "Be calm.\n\nGreet.")
              assert.strictEqual(requests[0]!.messages.length, 1)
              assert.isTrue(result.degraded.every((one) => one.hook === "bad"))
              assert.isNotEmpty(result.degraded)
            } else {
              assert.include(result.failure?.message, `the hook "bad" failed at ${point}: `)
              assert.strictEqual(requests.length, point === "after_model" ? 1 : 0)
            }
          }
        }),
    )
  }

  it.effect("block a reply, whose tokens are used all the same", () =>
    Effect.gen(function* () {
      const blocks = hook<"after_model">({
        id: "blocks",
        summary,
        point: "after_model",
        kind: "review",
        run: ({ reply }) => ({ verdict: "block", confidence: 1, reason: `no ${reply.text}` }),
      })
      const { provider } = modelThat()
      const { pipeline } = yield* workflow([blocks], [provider])
      const { events, result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "blocked")
      const called = events.find(
        (event): event is Extract<RunEvent, { type: "ModelCalled" }> =>
          event.type === "ModelCalled",
      )
      assert.deepStrictEqual(called?.usage, { input: 7, output: 3 })
      assert.strictEqual(called?.failure?.class, "blocked")
    }),
  )
})
