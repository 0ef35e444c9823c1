/** Runs seen by a collector: their spans, their metrics, and what happens without a collector. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  definePlugin,
  hook,
  ModelFailed,
  sectionKind,
  stageKind,
  ToolFailed,
  type Json,
  type Provider,
  type Telemetry,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run, type RunOptions } from "@planloom/core"
import { answer } from "@planloom/record"
import { openStore } from "@planloom/store-sqlite"
import { collector, tree, type Collector, type ReceivedSpan } from "../test/collector.ts"
import { RunTrace } from "./RunTrace.ts"
import { startTelemetry } from "./startTelemetry.ts"
import { callOf } from "./calls.ts"

const anything = { type: "object", additionalProperties: true }

const tool = (name: string): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
})

/** Takes 250 ms; `broken` fails with a message that quotes its input. */
const source: ToolSource = {
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({ tools: [tool("look_up"), tool("broken")] }),
  call: ({ params, tool: name }) =>
    Effect.andThen(
      Effect.sleep(250),
      name === "broken"
        ? Effect.fail(
            new ToolFailed({
              tool: name,
              class: "tool_error",
              message: `rejected ${JSON.stringify(params)}`,
            }),
          )
        : Effect.succeed({ value: "found" }),
    ),
}

/** The first reply of a model fails after 100 ms, later ones take 400 ms. */
const provider = (): Provider => {
  let calls = 0
  return {
    id: "acme",
    summary: "A model.",
    generate: () =>
      calls++ === 0
        ? Effect.andThen(
            Effect.sleep(100),
            Effect.fail(
              new ModelFailed({ class: "overloaded", model: "acme/small", message: "busy" }),
            ),
          )
        : Effect.as(Effect.sleep(400), {
            text: "a letter to Ann Example",
            reasoning: "",
            toolCalls: [],
            finish: "stop",
            usage: { input: 7, output: 3 },
            requestId: "request-0123456789",
          }),
  }
}

const use = stageKind<{ readonly tool: string; readonly params?: Json }>({
  id: "use",
  summary: "Calls a tool.",
  input: anything,
  output: true,
  run: (given, context) =>
    context.callTool({
      tool: given.tool,
      params: { given: given.params ?? null },
      key: given.tool,
    }),
})

const write = stageKind<{ readonly to?: string }>({
  id: "write",
  summary: "Asks a model.",
  input: anything,
  output: true,
  model: ({ to }, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: `write to ${to}` }] }),
      ({ text }) => text,
    ),
})

const ask = stageKind({
  id: "ask",
  summary: "Asks a person.",
  input: anything,
  output: true,
  run: (_, context) =>
    Effect.map(
      context.ask({ key: "sign_off", kind: "signal", message: "?", schema: true }),
      ({ value }) => value,
    ),
})

const polite = hook({
  id: "polite",
  summary: "Adds a title.",
  point: "before_tool",
  kind: "transform",
  run: ({ params }) => Effect.as(Effect.sleep(50), { params: { ...params, given: "Ms. Ann" } }),
})

const hooks = sectionKind<ReadonlyArray<{ readonly use: string }>>({
  on: "workflow",
  key: "hooks",
  summary: "Hooks.",
  schema: { type: "array", items: { type: "object" } },
  bind: (uses) => ({ hooks: uses.map(({ use: id }, index) => ({ use: id, at: [index] })) }),
})

const workflow = (body: string) => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "workflow.yaml")
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: letters\n${body}`)
  const components = {
    stages: [use, write, ask],
    tools: [source],
    providers: [provider()],
    hooks: [polite],
    sections: [hooks],
  }
  return load(path, {
    extraPlugins: [definePlugin({ id: "test", summary: "For the test.", components })],
  })
}

const receiving = (status?: number | "no answer", location?: string) =>
  Effect.acquireRelease(
    Effect.promise(() => collector(status, 0, location)),
    ({ close }) => Effect.promise(close),
  )

/** Runs to the end with telemetry that is flushed afterwards; time passes by itself. */
const observed = (body: string, otlp: string, options: RunOptions = {}, inputs = {}) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflow(body)
    const problems: Array<string> = []
    const exit = yield* Effect.scoped(
      Effect.gen(function* () {
        const telemetry = yield* startTelemetry({
          otlp,
          onProblem: (message) => problems.push(message),
        })
        const fiber = yield* Effect.forkChild(
          Effect.exit(run(pipeline, inputs, { ...options, telemetry })),
        )
        while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(50)
        return yield* Fiber.join(fiber)
      }),
    )
    return { exit, problems }
  })

const named = ({ spans }: Collector, name: string): ReceivedSpan =>
  spans().find((span) => span.name === name)!

const letters = `
inputs: { to: { type: string, personal: true } }
policies: { retry: { busy: { on: [overloaded], max_retries: 2, delay: 1s, jitter: false } } }
stages:
  - { id: look, uses: use, with: { tool: look_up } }
  - { id: letter, uses: write, model: acme/small, retry: busy, with: { to: "\${{ inputs.to }}" } }
  - id: each
    for_each: { in: "[1, 2]", max_parallel: 1 }
    uses: use
    with: { tool: look_up }
outputs: { letter: "\${{ stages.letter.output }}" }
`

const id = "0191d3a0-7b1c-7000-8000-0000000000ab"
const inputs = { to: "Ann Example" }

describe("telemetry of a run", () => {
  it.effect("exports run, stages, attempts and calls as one tree with exact times", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const collected = yield* receiving()
        const { problems } = yield* observed(letters, collected.url, { run: id }, inputs)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(tree(collected.spans()), [
          "run letters 0–2250",
          "  stage look 0–250",
          "    attempt 0–250",
          "      execute_tool look_up 0–250",
          "  stage letter 250–1750",
          "    attempt 250–350 overloaded",
          "      chat small 250–350 overloaded",
          "    attempt 1350–1750",
          "      chat small 1350–1750",
          "  stage each 1750–2250",
          "    stage each 1750–2000",
          "      attempt 1750–2000",
          "        execute_tool look_up 1750–2000",
          "    stage each 2000–2250",
          "      attempt 2000–2250",
          "        execute_tool look_up 2000–2250",
        ])
        assert.deepStrictEqual(
          [...new Set(collected.spans().map(({ trace }) => trace))],
          [id.replaceAll("-", "")],
        )
        assert.strictEqual(collected.resource()["service.name"], "planloom")
      }),
    ),
  )

  it.effect("describes calls by the GenAI conventions", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const collected = yield* receiving()
        yield* observed(letters, collected.url, { run: id }, inputs)
        const chat = collected.spans().filter(({ name }) => name === "chat small")
        const model = {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "acme",
          "gen_ai.request.model": "small",
        }
        assert.strictEqual(chat[0]!.attributes["error.type"], "overloaded")
        assert.deepStrictEqual(chat[1]!.attributes, {
          ...model,
          "gen_ai.usage.input_tokens": 7,
          "gen_ai.usage.output_tokens": 3,
          "planloom.request_id": "request-0123456789",
        })
        assert.deepStrictEqual(
          chat.map(({ kind }) => kind),
          [3, 3],
        )
        const toolCall = named(collected, "execute_tool look_up")
        assert.strictEqual(toolCall.kind, 1)
        assert.deepStrictEqual(toolCall.attributes, {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "look_up",
          "gen_ai.tool.type": "function",
        })
        assert.deepStrictEqual(named(collected, "run letters").attributes, {
          "planloom.run.id": id,
          "planloom.workflow": "letters",
          "planloom.run.status": "succeeded",
        })
        assert.deepStrictEqual(named(collected, "stage letter").attributes, {
          "planloom.stage.id": "letter",
          "planloom.stage.path": "letter",
          "planloom.stage.kind": "write",
          "planloom.stage.attempts": 2,
          "planloom.stage.strategy": "model",
        })
      }),
    ),
  )

  it.effect(
    "shows hooks that acted, at their stage, for as long as they took, without what they changed",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const collected = yield* receiving()
          const body = `
hooks: [{ use: polite }]
stages: [{ id: look, uses: use, with: { tool: look_up, params: Ann } }]
`
          yield* observed(body, collected.url)
          assert.deepStrictEqual(tree(collected.spans()), [
            "run letters 0–300",
            "  stage look 0–300",
            "    hook polite 0–50",
            "    attempt 0–300",
            "      execute_tool look_up 50–300",
          ])
          assert.deepStrictEqual(named(collected, "hook polite").attributes, {
            "planloom.hook.id": "polite",
            "planloom.hook.point": "before_tool",
            "planloom.hook.changed": "params",
          })
          assert.notInclude(collected.text(), "Ann")
        }),
      ),
  )

  it.effect("counts calls, tokens, durations and failures", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const collected = yield* receiving()
        yield* observed(letters, collected.url, {}, inputs)
        const lines = collected
          .points()
          .map(({ attributes, count, metric, sum, unit }) => {
            const shown = Object.entries(attributes)
              .filter(([name]) => /error|token|tool.name|status|stage/.test(name))
              .map(([, value]) => value)
            return [
              metric,
              unit,
              sum,
              ...(count === undefined ? [] : [`×${count}`]),
              ...shown,
            ].join(" ")
          })
          .toSorted()
        assert.deepStrictEqual(lines, [
          "gen_ai.client.operation.duration s 0.1 ×1 letter overloaded",
          "gen_ai.client.operation.duration s 0.4 ×1 letter",
          "gen_ai.client.token.usage {token} 3 ×1 letter output",
          "gen_ai.client.token.usage {token} 7 ×1 letter input",
          "planloom.attempt.failures {attempt} 1 letter overloaded",
          "planloom.run.duration s 2.25 ×1 succeeded",
          "planloom.run.tool_calls {call} 3 ×1 succeeded",
          "planloom.stage.duration s 0.25 ×1 look",
          "planloom.stage.duration s 1 ×3 each",
          "planloom.stage.duration s 1.5 ×1 letter model",
          "planloom.tool.duration s 0.25 ×1 look look_up",
          "planloom.tool.duration s 0.5 ×2 each look_up",
        ])
        assert.notInclude(collected.text(), '"key":"unit"')
      }),
    ),
  )

  it.effect("contains no prompt, reply, input, tool argument, secret or failure message", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const collected = yield* receiving()
        const failing = `${letters.replace(
          "outputs:",
          `
  - { id: fails, uses: use, with: { tool: broken, params: "\${{ inputs.to }}" } }
outputs:`,
        )}`
        const { exit } = yield* observed(
          failing,
          collected.url,
          { secrets: ["request-0123456789"] },
          inputs,
        )
        assert.strictEqual(exit._tag, "Failure")
        const text = collected.text()
        assert.strictEqual(named(collected, "stage fails").error, "tool_error")
        assert.strictEqual(named(collected, "run letters").attributes["error.type"], "tool_error")
        for (const word of [
          "Ann Example",
          "write to",
          "a letter",
          "rejected",
          "found",
          "request-01",
        ])
          assert.notInclude(text, word)
      }),
    ),
  )

  it.effect("exports a resumed run in the same trace, without what was recorded before", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const before = yield* receiving()
        const after = yield* receiving()
        const store = yield* openStore(join(mkdtempSync(join(tmpdir(), "planloom-")), "runs.db"))
        const body = `
stages:
  - { id: look, uses: use, with: { tool: look_up } }
  - { id: sign, uses: ask }
  - { id: again, uses: use, with: { tool: look_up } }
`
        yield* observed(body, before.url, { run: id, store })
        assert.deepStrictEqual(tree(before.spans()), [
          "run letters 0–250",
          "  stage look 0–250",
          "    attempt 0–250",
          "      execute_tool look_up 0–250",
          "  stage sign 250–250",
        ])
        assert.strictEqual(
          named(before, "run letters").attributes["planloom.run.status"],
          "suspended",
        )
        yield* TestClock.adjust(60_000)
        const { pipeline } = yield* workflow(body)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const telemetry = yield* startTelemetry({ otlp: after.url })
            const given = { name: "sign/question:sign_off", value: true, by: "ann" }
            const fiber = yield* Effect.forkChild(answer(pipeline, id, given, { store, telemetry }))
            while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(50)
            yield* Fiber.join(fiber)
          }),
        )
        assert.deepStrictEqual(tree(after.spans()), [
          "run letters 0–250",
          "  stage sign 0–0",
          "  stage again 0–250",
          "    attempt 0–250",
          "      execute_tool look_up 0–250",
        ])
        assert.strictEqual(named(after, "run letters").trace, named(before, "run letters").trace)
        assert.strictEqual(named(after, "run letters").attributes["planloom.run.epoch"], 2)
      }),
    ),
  )

  it.effect("gives observers of a resumed run what was recorded before, once and first", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* openStore(join(mkdtempSync(join(tmpdir(), "planloom-")), "runs.db"))
        const { pipeline } = yield* workflow(
          "stages: [{ id: sign, uses: ask }, { id: again, uses: ask }]",
        )
        const seen: Array<string> = []
        const telemetry: Telemetry = {
          observe: () => {
            seen.push("observed")
            return {
              resumed: (events) => void seen.push(`resumed: ${events.map(({ type }) => type)}`),
              event: ({ type }) => void seen.push(type),
              end: () => undefined,
            }
          },
        }
        yield* run(pipeline, {}, { run: id, store, telemetry })
        const given = { name: "sign/question:sign_off", value: true, by: "ann" }
        yield* answer(pipeline, id, given, { store, telemetry })
        const first = ["RunStarted", "StageStarted", "Asked", "RunSuspended"]
        assert.deepStrictEqual(seen, [
          "observed",
          ...first,
          "observed",
          `resumed: ${first}`,
          "RunResumed",
          "Answered",
          "StageFinished",
          ...first.slice(1),
        ])
      }),
    ),
  )

  it.effect("ends open spans when the run is interrupted", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const collected = yield* receiving()
        const { pipeline } = yield* workflow(letters)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const telemetry = yield* startTelemetry({ otlp: collected.url })
            const fiber = yield* Effect.forkChild(run(pipeline, inputs, { telemetry }))
            yield* TestClock.adjust(300)
            yield* Fiber.interrupt(fiber)
          }),
        )
        assert.deepStrictEqual(tree(collected.spans()), [
          "run letters 0–300",
          "  stage look 0–250",
          "    attempt 0–250",
          "      execute_tool look_up 0–250",
          "  stage letter 250–300",
          "    attempt 250–300",
          "      chat small 250–300 cancelled",
        ])
        assert.strictEqual(
          named(collected, "run letters").attributes["planloom.run.status"],
          "cancelled",
        )
      }),
    ),
  )
})

describe("telemetry without a working collector", () => {
  const quick = `stages: [{ id: look, uses: use, with: { tool: look_up } }]`

  it.effect("reports an unreachable collector once, and runs succeed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gone = yield* Effect.promise(() => collector())
        yield* Effect.promise(gone.close)
        const { exit, problems } = yield* observed(quick, gone.url)
        assert.strictEqual(exit._tag, "Success")
        assert.lengthOf(problems, 1)
        assert.match(
          problems[0]!,
          /^telemetry is not exported to http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
        )
      }),
    ),
  )

  it.effect("reports a collector that refuses once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* receiving(404)
        const { exit, problems } = yield* observed(quick, url)
        assert.strictEqual(exit._tag, "Success")
        assert.deepStrictEqual(problems, [
          `telemetry is not exported to ${url}: it answered with status 404`,
        ])
      }),
    ),
  )

  it.effect("sends nothing to the address that a collector redirects to", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const other = yield* receiving()
        const { url } = yield* receiving(307, `${other.url}/v1/traces`)
        const { problems } = yield* observed(quick, url)
        assert.deepStrictEqual(problems, [
          `telemetry is not exported to ${url}: it answered with status 307`,
        ])
        assert.isEmpty(other.headers())
      }),
    ),
  )

  it.effect("waits at most two seconds at the end for a collector that does not answer", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const silent = yield* receiving("no answer")
        const fiber = yield* Effect.forkChild(observed(quick, silent.url))
        yield* TestClock.adjust(1)
        while (silent.headers().length < 2) {
          yield* TestClock.adjust(0)
          yield* Effect.promise(() => new Promise((turn) => setImmediate(turn)))
        }
        yield* TestClock.adjust(1990)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(20)
        const { exit } = yield* Fiber.join(fiber)
        assert.strictEqual(exit._tag, "Success")
      }),
    ),
  )
})

it("A call of an embedder is a span of embeddings, one of another model of chat", () => {
  const event = {
    type: "ModelCalled",
    path: "a",
    stage: "a",
    model: "acme/small",
    usage: { input: 1, output: 0 },
    ms: 1,
    seq: 0,
    at: 0,
  } as const
  const spanOf = (more: object) => {
    const { attributes, name } = callOf({ ...event, ...more })!
    return [name, attributes["gen_ai.operation.name"]]
  }
  assert.deepStrictEqual(spanOf({}), ["chat small", "chat"])
  assert.deepStrictEqual(spanOf({ operation: "embeddings" }), ["embeddings small", "embeddings"])
})

it("An event for people is a span with its audience, without its data", () => {
  const spans: Array<{ readonly name: string }> = []
  const trace = new RunTrace({ run: id, workflow: "w" }, (span) => void spans.push(span))
  const at = { seq: 1, at: 5, path: "shipped", stage: "shipped" }
  trace.event({ ...at, type: "StageStarted", uses: "emit" })
  const note = { type: "Noted", note: "order_shipped", data: { to: "Ann" } } as const
  trace.event({ ...at, ...note, audience: "user", text: "To Ann." })
  trace.event({ ...at, ...note, note: "summary" })
  assert.deepStrictEqual(
    spans.map(({ name }) => name),
    ["event order_shipped"],
  )
  assert.include(JSON.stringify(spans), '"planloom.event.audience"')
  assert.notInclude(JSON.stringify(spans), "Ann")
})
