import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  ModelFailed,
  stageKind,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
  type Provider,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: name,
  capabilities: [],
  inputs: {},
  params: {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 } },
    required: ["n"],
    additionalProperties: false,
  },
  outputs: [],
  ...more,
})

const source: ToolSource = {
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [
      tool("double"),
      tool("guarded", { needs_approval: true }),
      tool("endless", { timeout: "2s" }),
      tool("broken"),
    ],
  }),
  call: ({ params, tool: name }) => {
    switch (name) {
      case "endless":
        return Effect.never
      case "broken":
        throw new RangeError("out of range")
      default:
        return Effect.succeed({ value: Number(params["n"]) * 2 })
    }
  },
}

const using = stageKind<{ readonly tool: string; readonly params: JsonObject }>({
  id: "using",
  summary: "Calls a tool.",
  input: {
    type: "object",
    properties: { tool: { type: "string" }, params: { type: "object" } },
    required: ["tool", "params"],
  },
  output: true,
  run: ({ params, tool: name }, context) => context.callTool({ tool: name, params, key: "only" }),
})

const calling = (name: string, params: string) =>
  workflowOf(
    `
stages: [{ id: a, uses: using, with: { tool: ${name}, params: ${params} } }]
outputs: { a: "\${{ stages.a.output }}" }
`,
    { stages: [using], tools: [source] },
  )

describe("a tool call", () => {
  it.effect("returns the tool's result and emits its duration", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("double", "{ n: 4 }")
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { a: 8 })
      assert.strictEqual(result.usage.toolCalls, 1)
      assert.isTrue(events.some((event) => event.type === "ToolCalled" && event.tool === "double"))
    }),
  )

  it.effect("with arguments that do not fit never reaches the tool", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("double", '{ n: 0, m: "x" }')
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "invalid_request")
      assert.include(result.failure?.message ?? "", 'unknown key "m"')
      assert.include(result.failure?.message ?? "", "n must be >= 1")
      assert.strictEqual(result.usage.toolCalls, 0)
    }),
  )

  it.effect("to an unknown tool fails and names the tool", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("\"${{ 'dou' + 'bel' }}\"", "{ n: 1 }")
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.message, 'there is no tool "doubel"')
    }),
  )

  it.effect("that needs approval runs only after a yes", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("guarded", "{ n: 1 }")
      const nobody = (yield* collect(pipeline)).result
      assert.strictEqual(nobody.status, "clarification")
      assert.strictEqual(nobody.failure?.message, "guarded: do you approve?")
      const no = yield* collect(
        pipeline,
        {},
        { answer: () => Effect.succeed({ approved: false, comment: "not today" }) },
      )
      assert.strictEqual(
        no.result.failure?.message,
        '"guarded" was not approved (person): not today',
      )
      assert.strictEqual(no.result.usage.toolCalls, 1)
      const yes = yield* collect(
        pipeline,
        {},
        {
          answer: ({ fields }) =>
            Effect.succeed({ approved: fields?.[0]?.name === "n" && fields[0].value === 1 }),
        },
      )
      assert.deepStrictEqual(yes.result.outputs, { a: 2 })
    }),
  )

  it.effect("is ended by the tool's own timeout", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("endless", "{ n: 1 }")
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("2 seconds")
      const { result } = yield* Fiber.join(fiber)
      assert.strictEqual(result.failure?.class, "timeout")
    }),
  )

  it.effect("to a tool that throws is a failure of class internal", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* calling("broken", "{ n: 1 }")
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "internal")
      assert.include(result.failure?.message ?? "", "out of range")
    }),
  )
})

/** Gives these texts in turn and keeps the requests. */
const saying = (texts: ReadonlyArray<string>, finish: ModelReply["finish"] = "stop") => {
  const requests: Array<ModelRequest> = []
  const provider: Provider = {
    id: "saying",
    summary: "Says what it is told to.",
    generate: (request) =>
      Effect.suspend(() => {
        const text = texts[requests.push(request) - 1]
        return text === undefined
          ? Effect.fail(
              new ModelFailed({ class: "unavailable", model: "saying/any", message: "no more" }),
            )
          : Effect.succeed({
              text,
              reasoning: "",
              toolCalls: [],
              finish,
              usage: { input: 1, output: 1 },
            })
      }),
  }
  return { provider, requests }
}

const answering = stageKind<object>({
  id: "answering",
  summary: "Asks for an object.",
  input: { type: "object" },
  output: { type: "object" },
  model: (_, context) =>
    context.model.json(
      { messages: [{ role: "user", content: context.previous?.message ?? "?" }] },
      {
        name: "answer",
        schema: {
          type: "object",
          properties: { n: { type: "integer" } },
          required: ["n"],
          additionalProperties: false,
        },
      },
    ),
})

describe("a structured answer", () => {
  const asking = (texts: ReadonlyArray<string>) => {
    const { provider, requests } = saying(texts)
    return Effect.map(
      workflowOf(
        `
defaults: { model: saying/any }
policies: { retry: { repair: { max_retries: 1, delay: 0ms, jitter: false, on: [invalid_output] } } }
stages: [{ id: a, uses: answering, retry: repair }]
outputs: { a: "\${{ stages.a.output }}" }
`,
        { stages: [answering], providers: [provider] },
      ),
      ({ pipeline }) => ({ pipeline, requests }),
    )
  }

  it.effect.each([
    '{"n": 3}',
    'Here it is:\n```json\n{"n": 3}\n```\nDone.',
    'Sure! {"n": 3} as you asked',
  ])("is found in %j", (text) =>
    Effect.gen(function* () {
      const { pipeline } = yield* asking([text])
      assert.deepStrictEqual((yield* collect(pipeline)).result.outputs, { a: { n: 3 } })
    }),
  )

  it.effect(
    "that does not fit is sent back once with the exact reasons, as a call of its own",
    () =>
      Effect.gen(function* () {
        const { pipeline, requests } = yield* asking(['{"n": "three"}', '{"n": 3}'])
        const { events, result } = yield* collect(pipeline)
        assert.deepStrictEqual(result.outputs, { a: { n: 3 } })
        const [first, second] = requests
        assert.strictEqual(second?.temperature, 0)
        assert.deepStrictEqual(second?.messages.slice(0, 2), [
          ...first!.messages,
          { role: "assistant", content: '{"n": "three"}' },
        ])
        assert.match(
          String(second?.messages[2]?.content),
          /- \/n must be a whole number \(line 1, column 7\)/,
        )
        assert.strictEqual(result.usage.modelCalls, 2)
        assert.deepStrictEqual(result.replies, { direct: 0, salvaged: 0, repaired: 1, failed: 0 })
        assert.isFalse(events.some(({ type }) => type === "AttemptFailed"))
      }),
  )

  it.effect("that never comes is a failure with the reply in its detail", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* asking(["I would rather not.", "No.", "<think>Hm", "No!"])
      const { events, result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "invalid_output")
      assert.include(result.failure?.detail, { reply: "No!" })
      assert.deepStrictEqual(result.replies, { direct: 0, salvaged: 0, repaired: 0, failed: 2 })
      const thoughts = events.filter((event) => event.type === "Reasoned")
      assert.deepStrictEqual(
        thoughts.map(({ text }) => text),
        ["Hm"],
      )
    }),
  )

  it.effect("is repaired where that is unambiguous, and each change is recorded", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* asking(["<think>Three?</think>{n: '3',}"])
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { a: { n: 3 } })
      assert.deepStrictEqual(result.replies, { direct: 0, salvaged: 1, repaired: 0, failed: 0 })
      const read = events.find((event) => event.type === "ReplyRead")
      assert.include(
        (read?.repairs ?? []).map(({ kind, path }) => `${kind} ${path}`),
        "to_number /n",
      )
      assert.notInclude(JSON.stringify(result.outputs), "Three?")
      assert.isTrue(events.some((event) => event.type === "Reasoned" && event.text === "Three?"))
    }),
  )

  const once = (
    texts: ReadonlyArray<string>,
    yaml: string,
    finish: ModelReply["finish"] = "stop",
  ) => {
    const { provider, requests } = saying(texts, finish)
    return Effect.flatMap(
      workflowOf(
        `
models: { plain: { try: [saying/any], repair: false }, mending: saying/any }
${yaml}
outputs: { a: "\${{ stages.a.output }}" }
`,
        { stages: [answering], providers: [provider] },
      ),
      ({ pipeline }) => Effect.map(collect(pipeline), ({ result }) => ({ result, requests })),
    )
  }

  it.effect("is not sent back when `repair` is off; the stage overrides the model", () =>
    Effect.gen(function* () {
      const texts = ["No.", '{"n": 3}']
      const asked = (stage: string) =>
        Effect.map(
          once(texts, `stages: [{ id: a, uses: answering, ${stage} }]`),
          ({ requests }) => requests.length,
        )
      assert.strictEqual(yield* asked("model: plain"), 1)
      assert.strictEqual(yield* asked("model: plain, repair: true"), 2)
      assert.strictEqual(yield* asked("model: mending"), 2)
      assert.strictEqual(yield* asked("model: mending, repair: false"), 1)
    }),
  )

  it.effect("that was cut at its longest length is neither used nor sent back", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* once(
        ['{"n": 3', '{"n": 3}'],
        "stages: [{ id: a, uses: answering, model: mending }]",
        "length",
      )
      assert.strictEqual(result.failure?.class, "invalid_output")
      assert.include(result.failure?.message, "was cut")
      assert.lengthOf(requests, 1)
    }),
  )

  it.effect("that cannot be sent back reports both the cause and the mismatch", () =>
    Effect.gen(function* () {
      const { result } = yield* once(
        ["No."],
        "stages: [{ id: a, uses: answering, model: mending, budget: { model_calls: 1 } }]",
      )
      assert.strictEqual(result.failure?.class, "invalid_output")
      const detail = result.failure?.detail as JsonObject
      assert.strictEqual((detail["repair"] as JsonObject)["class"], "budget")
    }),
  )
})

describe("a model's name", () => {
  it.effect("brings how it is asked, where the stage does not say it itself", () =>
    Effect.gen(function* () {
      const { provider, requests } = saying(["a"])
      const { pipeline } = yield* workflowOf(
        `
models: { small: { try: [saying/any], temperature: 0.1, top_k: 20, seed: 0, max_tokens: 350, stop: ["<end>"] } }
stages: [{ id: a, uses: brief, model: small }]
outputs: { a: "\${{ stages.a.output }}" }
`,
        {
          providers: [provider],
          stages: [
            stageKind<object>({
              id: "brief",
              summary: "Asks for little.",
              input: { type: "object" },
              output: { type: "string" },
              model: (_, context) =>
                Effect.map(
                  context.model.text({
                    messages: [{ role: "user", content: "?" }],
                    topK: 1,
                    stop: ["."],
                  }),
                  ({ text }) => text,
                ),
            }),
          ],
        },
      )
      assert.strictEqual((yield* collect(pipeline)).result.status, "succeeded")
      const { maxTokens, seed, stop, temperature, topK } = requests[0]!
      assert.deepStrictEqual(
        { maxTokens, seed, stop, temperature, topK },
        { maxTokens: 350, seed: 0, stop: ["."], temperature: 0.1, topK: 1 },
      )
    }),
  )
})

describe("secrets", () => {
  it.effect("never appear in an event, whatever text they were copied into", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
stages: [{ id: a, uses: echo, with: { value: "the key is s3cr3t-value, keep it" } }]
outputs: { a: "\${{ stages.a.output }}" }
`)
      const { events, result } = yield* collect(pipeline, {}, { secrets: ["s3cr3t-value"] })
      assert.notInclude(JSON.stringify(events), "s3cr3t-value")
      assert.deepStrictEqual(result.outputs, { a: "the key is [secret], keep it" })
    }),
  )
})
