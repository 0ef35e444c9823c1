/** Hooks beside the rest of a run: other hooks of their point, retries, streamed replies, names and values of the workflow. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  hook,
  stageKind,
  StageFailed,
  type HookFilter,
  type Provider,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { hookedWorkflow } from "../../test/hooked.ts"

const summary = "Is a hook of a test."
const stage = (hooks: string, more = "") => `
hooks: [${hooks}]
stages: [{ id: one, uses: echo, with: { value: hello }${more} }]
outputs: { said: "\${{ stages.one.output }}" }
`

const adds = (id: string) =>
  hook<"after_stage", { readonly add?: string }>({
    id,
    summary,
    point: "after_stage",
    kind: "transform",
    input: { type: "object", properties: { add: { type: "string" } } },
    run: ({ output }, { with: { add = id } }) => ({ output: `${String(output)} ${add}` }),
  })

describe("observers and reviewers of a point", () => {
  it.effect("start together, and all see what every transform has made", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const reader = (id: string, kind: "observe" | "review") =>
        hook<"after_stage">({
          id,
          summary,
          point: "after_stage",
          kind,
          run: ({ output }) =>
            Effect.gen(function* () {
              seen.push(`${id} ${String(output)}`)
              yield* Effect.yieldNow
              seen.push(`${id} ends`)
              return kind === "review" ? { verdict: "pass", confidence: 1, reason: "" } : undefined
            }) as never,
        })
      const { pipeline } = yield* hookedWorkflow(
        stage("{ use: a_sees }, { use: b }, { use: b_sees }, { use: c }"),
        [reader("a_sees", "observe"), adds("b"), reader("b_sees", "review"), adds("c")],
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.outputs["said"], "hello b c")
      assert.deepStrictEqual(seen, [
        "a_sees hello b c",
        "b_sees hello b c",
        "a_sees ends",
        "b_sees ends",
      ])
    }),
  )
})

describe("a filter of a hook", () => {
  it.effect.each([
    [{ stage: ["one"] }, "hello a"],
    [{ stage: ["other", "one"] }, "hello a"],
    [{ stage: ["on"] }, "hello"],
    [{ stage: ["one,other"] }, "hello"],
    [{ stage: ["ONE"] }, "hello"],
  ] as ReadonlyArray<readonly [HookFilter, string]>)(
    "selects calls of exactly the names that it lists: %j",
    ([only, said]) =>
      Effect.gen(function* () {
        const use = `{ use: a, only: ${JSON.stringify(only)} }`
        const { pipeline } = yield* hookedWorkflow(stage(use), [adds("a")])
        assert.strictEqual((yield* collect(pipeline)).result.outputs["said"], said)
      }),
  )
})

describe("a call that a hook blocks", () => {
  it.effect("is not tried again, whereas one whose hook is unavailable is", () =>
    Effect.gen(function* () {
      const tries = (run: () => unknown) =>
        Effect.gen(function* () {
          let count = 0
          const reviews = hook({
            id: "reviews",
            summary,
            point: "before_stage",
            kind: "review",
            run: () => {
              count++
              return run()
            },
          } as never)
          const { pipeline } = yield* hookedWorkflow(
            `policies: { retry: { often: { max_retries: 3, delay: 0s } } }
${stage("{ use: reviews, on_error: fail }", ", retry: often")}`,
            [reviews],
          )
          const { result } = yield* collect(pipeline)
          return [count, result.failure?.class]
        })
      const verdict = { verdict: "block", confidence: 1, reason: "no" }
      assert.deepStrictEqual(yield* tries(() => verdict), [1, "blocked"])
      const gone = Effect.fail(new StageFailed({ class: "unavailable", message: "gone" }))
      assert.deepStrictEqual(yield* tries(() => gone), [4, "unavailable"])
    }),
  )
})

describe("an option of a hook", () => {
  it.effect("is the value of its expression, and never an expression itself", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* hookedWorkflow(
        `inputs: { text: { type: string } }
${stage(`{ use: a, when: "draft.output != inputs.text", with: { add: "\${{ inputs.text }}" } }`)}`,
        [adds("a")],
      )
      const text = "${{ run.id }}' || true || '"
      const { result } = yield* collect(pipeline, { text })
      assert.strictEqual(result.outputs["said"], `hello ${text}`)
    }),
  )
})

describe("a hook after a model's reply", () => {
  const reply = stageKind<object>({
    id: "reply",
    summary,
    input: { type: "object" },
    output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    streams: "text",
    model: (_, { model }) =>
      Effect.map(
        model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
        ({ text }) => ({ text }),
      ),
  })
  const provider: Provider = {
    id: "vendor",
    summary,
    stream: () =>
      Stream.make(
        { type: "text", text: "Hello" },
        { type: "finish", reason: "stop", usage: { input: 1, output: 1 } },
      ),
  }

  it.effect.each([
    ["passes", { verdict: "pass", confidence: 1, reason: "" }, undefined],
    ["blocks", { verdict: "block", confidence: 1, reason: "no" }, "blocked"],
    ["returns no finding", { verdict: "block" }, "internal"],
    [
      "fails",
      Effect.fail(new StageFailed({ class: "unavailable", message: "gone" })),
      "unavailable",
    ],
  ] as const)("that %s ends a streamed reply as one that is not streamed", ([, made, failure]) =>
    Effect.gen(function* () {
      const reviews = hook({
        id: "reviews",
        summary,
        point: "after_model",
        kind: "review",
        run: () => made,
      } as never)
      const ends: Array<unknown> = []
      for (const stream of [true, false]) {
        const { pipeline } = yield* hookedWorkflow(
          `models: { fast: { try: [vendor/any] } }
hooks: [{ use: reviews, on_error: fail }]
stages: [{ id: one, uses: reply, model: fast }]
outputs: { said: { type: string, value: "\${{ stages.one.output.text }}", stream: ${stream} } }
`,
          [reviews],
          { stages: [reply], providers: [provider] },
        )
        const { result } = yield* collect(pipeline)
        ends.push([result.status, result.failure?.class])
      }
      const end = [failure === undefined ? "succeeded" : "failed", failure]
      assert.deepStrictEqual(ends, [end, end])
    }),
  )
})
