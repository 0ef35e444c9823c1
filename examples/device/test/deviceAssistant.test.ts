/** The workflow as a whole: what models are asked and shown, in which order people hear of it, and real HTTP. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject, ModelRequest } from "@planloom/plugin/effect"
import { passed, pretty, runWorkflowTest, scriptedProvider, wireServer } from "@planloom/testing"
import { say } from "./assistant.ts"
import { pdfOf } from "../../../packages/components/tools-files/test/pdfBytes.ts"

const plan: JsonObject = {
  intent: "automation",
  reasoning_summary: "The user wants Wi-Fi off.",
  chat_response: "Turning Wi-Fi off.",
  candidate_tools: ["toggle_wifi"],
  arguments: { state: "off" },
  confidence: 0.95,
}
/** Leaves the choice of the tool to the second stage. */
const open: JsonObject = { ...plan, candidate_tools: ["toggle_wifi", "toggle_bluetooth"] }
const choice: JsonObject = { tool: "toggle_wifi", params: { state: "off" } }

/** Words of a user that nothing else in a request has. */
const message = "Zanzibar umbrella: please turn off the wifi"

const wordsOf = (request: ModelRequest): string =>
  JSON.stringify([request.system, request.messages])

describe("the first stage", () => {
  it.effect("is asked with the settings, the rules, the tools and the examples", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([{ json: plan }, { json: choice }])
      yield* say({ provider }, { message })
      const asked = provider.requests[0]!
      assert.strictEqual(asked.temperature, 0.1)
      assert.strictEqual(asked.topK, 20)
      assert.strictEqual(asked.maxTokens, 350)
      assert.deepStrictEqual(asked.stop, ["\n\n\n", "<|im_end|>", "<end_of_turn>"])
      const { schema } = asked.output!
      const { properties } = schema as unknown as {
        readonly properties: { readonly candidate_tools: JsonObject }
      }
      const { items } = properties.candidate_tools
      assert.strictEqual((items as { readonly enum: ReadonlyArray<string> }).enum.length, 15)
      const text = wordsOf(asked)
      for (const part of ["NEVER execute tools", "at most 2", "get_battery_status"])
        assert.include(text, part)
      // Examples stand in the system prompt, the conversation alone among the messages.
      const system = asked.system.map((block) => block.text).join("\n")
      for (const part of [
        "sdfksdf",
        "What do I have on Monday? (today is 2026-11-21)",
        '"2026-11-23"',
      ])
        assert.include(system, part)
      assert.deepStrictEqual(asked.messages, [{ role: "user", content: message }])
    }),
  )

  it.effect("sees six turns, and of the assistant only what it said", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([{ json: plan }, { json: choice }])
      const history = Array.from({ length: 9 }, (_, at) => ({
        user: `question ${at}`,
        assistant: `reply ${at}`,
      }))
      yield* say({ provider }, { message, history })
      const said = provider.requests[0]!.messages.map(({ content }) => content)
      assert.deepStrictEqual(said, [
        ...[3, 4, 5, 6, 7, 8].flatMap((at) => [`question ${at}`, `reply ${at}`]),
        message,
      ])
    }),
  )

  it.effect(
    "is asked to repair a reply once, at temperature 0, with the reply and its faults",
    () =>
      Effect.gen(function* () {
        const provider = scriptedProvider([
          { text: '{"intent": "automation"' },
          { json: plan },
          { json: choice },
        ])
        const [turn] = yield* say({ provider }, { message })
        const repair = provider.requests[1]!
        assert.strictEqual(repair.temperature, 0)
        assert.include(wordsOf(repair), "Your last reply could not be used")
        assert.strictEqual(turn!.result.outputs["reply"], "Turning Wi-Fi off.")
        assert.deepStrictEqual(turn!.result.degraded, [])
      }),
  )
})

describe("the second stage", () => {
  it.effect("never sees what the user said", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([{ json: open }, { json: choice }])
      yield* say({ provider }, { message, history: [{ user: "Xylophone", assistant: "Yes." }] })
      const [first, second] = provider.requests
      assert.include(wordsOf(first!), "Zanzibar umbrella")
      assert.lengthOf(provider.requests, 2)
      for (const word of ["Zanzibar", "umbrella", "please", "Xylophone"])
        assert.notInclude(wordsOf(second!), word)
      assert.include(wordsOf(second!), "toggle_wifi")
    }),
  )

  it.effect("asks no model for the only candidate with complete arguments", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([{ json: plan }])
      const [turn] = yield* say({ provider }, { message })
      assert.lengthOf(provider.requests, 1)
      assert.strictEqual(turn!.result.outputs["report"], "Wi-Fi was off already.")
      assert.deepStrictEqual(turn!.result.degraded, [])
    }),
  )

  it.effect("is corrected when the tool is not for the intent", () =>
    Effect.gen(function* () {
      const wrong = { ...plan, intent: "file_search" }
      const provider = scriptedProvider([{ json: wrong }, { json: plan }])
      const [turn] = yield* say({ provider }, { message })
      assert.include(wordsOf(provider.requests[1]!), "not for the intent file_search")
      assert.strictEqual(turn!.result.outputs["report"], "Wi-Fi was off already.")
    }),
  )

  it.effect("begins after the reply has been told", () =>
    Effect.gen(function* () {
      const [turn] = yield* say(
        { provider: scriptedProvider([{ json: plan }, { json: choice }]) },
        { message },
      )
      const at = (found: number) => (assert.isAtLeast(found, 0), found)
      const { events } = turn!
      const early = at(events.findIndex((e) => e.type === "OutputReady" && e.name === "reply"))
      const called = at(events.findIndex((e) => e.type === "ToolCalled"))
      assert.isBelow(early, called)
    }),
  )

  it.effect("is not asked when there is nothing to do", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        {
          json: {
            ...plan,
            intent: "user_question",
            chat_response: "Hello!",
            candidate_tools: [],
            arguments: {},
          },
        },
      ])
      const [turn] = yield* say({ provider }, { message: "hello" })
      assert.lengthOf(provider.requests, 1)
      assert.isTrue(turn!.events.some((e) => e.type === "StageSkipped" && e.stage === "act"))
    }),
  )
})

describe("against a server that speaks OpenAI's protocol", () => {
  const served = (...answers: ReadonlyArray<object>) =>
    Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers, models: ["tiny"] })),
      (server) => Effect.promise(() => server.close()),
    )

  it.live("plans and acts", () =>
    Effect.gen(function* () {
      const server = yield* served(
        {
          when: "Zanzibar",
          text: `<think>Wi-Fi.</think>\`\`\`json\n${JSON.stringify(open)}\n\`\`\``,
        },
        { json: choice },
      )
      const [turn] = yield* say({ server: `${server.url}/v1` }, { message })
      const { outputs, degraded } = turn!.result
      assert.strictEqual(outputs["reply"], "Turning Wi-Fi off.")
      assert.strictEqual(outputs["report"], "Wi-Fi was off already. Still to do: toggle bluetooth.")
      assert.deepStrictEqual(degraded, [])
      const bodies = server.requests.map(({ body }) => body)
      assert.strictEqual(bodies[0]!["temperature"], 0.1)
      assert.strictEqual(bodies[0]!["top_k"], 20)
      assert.notInclude(JSON.stringify(bodies[1]), "Zanzibar")
    }),
  )

  it.live("both stages fit a model of 4,096 tokens, with long messages before and now", () =>
    Effect.gen(function* () {
      const answers = [{ json: open }, { json: choice }]
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => wireServer({ answers, models: ["tiny"], context: 4096 })),
        ({ close }) => Effect.promise(close),
      )
      const long = "please turn off the wifi, and tell me all about it. ".repeat(75)
      const history = Array.from({ length: 8 }, () => ({ user: long, assistant: long }))
      const [turn] = yield* say({ server: `${server.url}/v1` }, { message: long, history })
      assert.deepStrictEqual(turn!.result.degraded, [])
      assert.lengthOf(server.requests, 2)
    }),
  )

  it.live("works without it when the server breaks, and says so", () =>
    Effect.gen(function* () {
      const server = yield* served({ status: 500 })
      const [turn] = yield* say({ server: `${server.url}/v1` }, { message: "turn off the wifi" })
      const { outputs, degraded } = turn!.result
      assert.deepStrictEqual(
        degraded.map(({ path }) => path),
        ["plan"],
      )
      assert.strictEqual(outputs["report"], "Wi-Fi was off already.")
    }),
  )
})

it.live("finds a PDF by a word that only stands inside it", () =>
  Effect.gen(function* () {
    const resume = pdfOf({
      pages: [["Curriculum vitae"], ["Ten years of beekeeping"]],
      packed: true,
    })
    const [turn] = yield* say(
      { files: { "Downloads/scan_0815.pdf": resume } },
      { message: "find the document about beekeeping" },
    )
    assert.strictEqual(
      turn!.result.outputs["report"],
      'The nearest 1 file for "beekeeping": Downloads/scan_0815.pdf.',
    )
  }),
)

it.live("passes the workflow's own tests", () =>
  Effect.gen(function* () {
    const file = join(import.meta.dirname, "../../../workflows/device_assistant.test.yaml")
    const report = yield* runWorkflowTest(file, {
      load: {
        plugins: {
          "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
          "@planloom/provider-openai": async () =>
            (await import("@planloom/provider-openai")).default,
        },
      },
    })
    assert.isTrue(passed([report]), pretty([report]))
    assert.isAtLeast(report.tests.length, 45)
  }),
)
