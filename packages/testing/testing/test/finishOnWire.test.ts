/** Finish reasons of replies: every one of every service, whole and streamed, for `generate` and `agent`, over real HTTP. */
import { assert, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import { runOnWire } from "./wireWorkflow.ts"

/** The outcome of a reply: it is the answer, it is cut, or the call fails with a class. */
type End = "answer" | "cut" | "unavailable" | "content_filter" | "invalid_output"

interface Service {
  readonly model: string
  readonly server?: JsonObject
  readonly reasons: ReadonlyArray<
    readonly [reason: string, end: End, beside?: WireAnswer["beside"]]
  >
}

const chatReasons = [
  ["stop", "answer"],
  ["length", "cut"],
  ["tool_calls", "answer"],
  ["function_call", "answer"],
  ["eos", "answer"],
  ["model_length", "cut"],
  ["content_filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["abort", "unavailable"],
  ["error", "unavailable"],
  ["error", "unavailable", { error: { code: 502, message: 'Upstream broke off ("error")' } }],
  ["a_new_reason", "unavailable"],
] satisfies Service["reasons"]

const services: { readonly [name: string]: Service } = {
  anthropic: {
    model: "anthropic/small",
    reasons: [
      ["end_turn", "answer"],
      ["stop_sequence", "answer"],
      ["tool_use", "answer"],
      ["max_tokens", "cut"],
      ["model_context_window_exceeded", "cut"],
      ["pause_turn", "cut"],
      ["refusal", "content_filter"],
      ["a_new_reason", "unavailable"],
    ],
  },
  google: {
    model: "google/small",
    reasons: [
      ["STOP", "answer"],
      ["MAX_TOKENS", "cut"],
      // Without a token there is no way to continue.
      ["CONTINUATION", "cut"],
      ["CONTINUATION", "cut", { continuationToken: "dG9r" }],
      ...[
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
      ].map((reason) => [reason, "content_filter"] as const),
      ...["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"].map(
        (reason) => [reason, "invalid_output"] as const,
      ),
      ...[
        "OTHER",
        "FINISH_REASON_UNSPECIFIED",
        "TOO_MANY_TOOL_CALLS",
        "NO_IMAGE",
        "IMAGE_OTHER",
        "A_NEW_REASON",
      ].map((reason) => [reason, "unavailable"] as const),
    ],
  },
  "openai: chat": { model: "local/small", server: { api: "chat" }, reasons: chatReasons },
  "openai: responses": {
    model: "local/small",
    server: { api: "responses" },
    reasons: [
      ["completed", "answer"],
      ["max_output_tokens", "cut"],
      ["content_filter", "content_filter"],
      ["failed", "unavailable"],
      ["cancelled", "unavailable"],
      ["incomplete", "unavailable"],
      ["a_new_reason", "unavailable"],
    ],
  },
  ollama: {
    model: "local/small",
    server: { api: "ollama" },
    reasons: [
      ["stop", "answer"],
      ["length", "cut"],
      ["load", "unavailable"],
      ["unload", "unavailable"],
      ["a_new_reason", "unavailable"],
    ],
  },
}

const TEXT = "I shall now weigh"

const workflow = (model: string, uses: string, streamed: boolean, more = "") => `
models: { m: { try: [${model}]${more} } }
stages: [{ id: say, uses: ${uses}, model: m, with: { task: Say it.${uses === "agent" ? ", tools: []" : ""} } }]
outputs: { text: { type: string, value: "\${{ stages.say.output.text }}"${streamed ? ", stream: true" : ""} } }
`

for (const [name, { model, reasons, server = {} }] of Object.entries(services)) {
  describe.each(["generate", "agent"])(`${name}: a reply of %s`, (uses) => {
    describe.each([false, true])("streamed: %s", (streamed) => {
      const cases = reasons.map(([reason, end, beside]) => ({ reason, end, beside }))
      it.each(cases)("that ended with $reason comes to $end", async ({ beside, end, reason }) => {
        const answers: ReadonlyArray<WireAnswer> = [
          { text: TEXT, reason, ...(beside === undefined ? {} : { beside }) },
        ]
        const run = (more: string) =>
          runOnWire(workflow(model, uses, streamed, more), { answers, server, reads: streamed })
        const ran = await run("")
        assert.strictEqual(ran.requests[0]!.stream, streamed)
        if (end === "answer" || end === "cut") {
          assert.isUndefined(ran.failure)
          // A reply that the service pauses again and again is what came of it.
          assert.match(String(ran.outputs!["text"]), new RegExp(`^(${TEXT})+$`))
          assert.lengthOf(ran.degraded, end === "cut" ? 1 : 0)
          assert.lengthOf(ran.notes, end === "cut" ? 1 : 0)
          if (end === "cut") assert.deepInclude(ran.degraded[0], { path: "say", cut: true })
        } else {
          assert.strictEqual(ran.failure?.class, end)
          const [called] = ran.events.filter(({ type }) => type === "ModelCalled")
          assert.deepInclude(called, { usage: { input: 7, output: 3 } })
        }
        if (end === "cut") {
          const failed = await run(", on_cut: fail")
          assert.strictEqual(failed.failure?.class, "invalid_output")
        }
        // An error that the service describes has its text.
        if (end === "unavailable") assert.include(ran.failure?.message, `"${reason}"`)
      })
    })
  })
}

describe.each([
  // This service pauses a reply only while tools of its own run.
  ["anthropic/small", "pause_turn", undefined, ", options: { mcp_servers: [] }"],
  ["google/small", "CONTINUATION", { continuationToken: "dG9r" }, ""],
] as const)("a reply of %s that ended with %s", (model, reason, beside, options) => {
  describe.each(["generate", "agent"])("of %s", (uses) => {
    it.each([false, true])("is continued in the same call, streamed: %s", async (streamed) => {
      const paused = { reason, ...(beside === undefined ? {} : { beside }) }
      const { degraded, events, outputs, requests, usage } = await runOnWire(
        workflow(model, uses, streamed, options),
        {
          reads: streamed,
          answers: [
            { text: "One ", ...paused },
            { text: "two ", ...paused },
            { text: "three." },
            { text: "Asked too often." },
          ],
        },
      )
      assert.deepStrictEqual(outputs, { text: "One two three." })
      assert.lengthOf(degraded, 0)
      assert.lengthOf(requests, 3)
      assert.lengthOf(
        events.filter(({ type }) => type === "ModelCalled"),
        1,
      )
      assert.deepInclude(usage, { inputTokens: 21, outputTokens: 9, modelCalls: 3 })
      const { body } = requests[2]!
      if (model.startsWith("google")) assert.strictEqual(body["continuationToken"], "dG9r")
      else {
        const messages = body["messages"] as ReadonlyArray<JsonObject>
        assert.strictEqual(messages.length, 2)
        assert.deepInclude(messages[1], { role: "assistant" })
        const texts = (messages[1]!["content"] as ReadonlyArray<JsonObject>).map(({ text }) => text)
        assert.deepStrictEqual(texts, ["One ", "two "])
      }
    })

    it.each([false, true])("fails if its continuation fails, streamed: %s", async (streamed) => {
      const paused = { reason, ...(beside === undefined ? {} : { beside }) }
      const { failure, usage } = await runOnWire(workflow(model, uses, streamed, options), {
        reads: streamed,
        answers: [{ text: "One ", ...paused }, { status: 500 }],
      })
      assert.strictEqual(failure?.class, "unavailable")
      assert.strictEqual(usage.modelCalls, 2)
      assert.isAtLeast(usage.inputTokens, 7)
      assert.isAtLeast(usage.outputTokens, 3)
    })
  })
})

describe("a reply that its service broke off", () => {
  const answers = [{ text: TEXT, reason: "OTHER" }, { text: "Weighed." }]

  it.each([
    ["the next model", "[google/small, anthropic/small]", ""],
    ["a retry", "[google/small]", "retry: { max_retries: 1, delay: 1ms }, "],
  ])("leads to %s", async (_to, models, retry) => {
    const { outputs } = await runOnWire(
      `models: { m: { try: ${models} } }
stages: [{ id: say, uses: generate, model: m, ${retry}with: { task: Say it. } }]
outputs: { text: { type: string, value: "\${{ stages.say.output.text }}" } }
`,
      { answers },
    )
    assert.deepStrictEqual(outputs, { text: "Weighed." })
  })
})
