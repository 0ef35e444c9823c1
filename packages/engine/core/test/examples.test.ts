/** What a model is shown before the question. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  ModelFailed,
  stageKind,
  type Index,
  type Message,
  type Provider,
} from "@planloom/plugin/effect"
import { workflowOf } from "./inline.ts"
import { run } from "../src/run/run.ts"
import { exampleTokens } from "@planloom/prompt"

const plan = stageKind<{ readonly text: string; readonly where?: "turns" | "system" | "none" }>({
  id: "plan",
  summary: "Asks a model.",
  input: { type: "object", properties: { text: true, where: true }, required: ["text"] },
  output: { type: "object", properties: { tool: { type: "string" } }, required: ["tool"] },
  model: ({ text, where }, { model }) =>
    model.json(
      {
        prompt: { sections: [{ id: "instructions", text: "Name the tool.", stable: true }] },
        messages: [{ role: "user", content: text }],
        ...(where === undefined ? {} : { examples: where }),
      },
      { name: "plan", schema: { type: "object", properties: { tool: { type: "string" } } } },
    ),
})

/** Finds what shares a word with the question, the last one first. */
const words: Index = {
  id: "words",
  summary: "By shared words.",
  build: (documents) =>
    Effect.succeed({
      search: (query) =>
        Effect.succeed(
          documents
            .filter(({ fields }) =>
              query.split(" ").some((word) => fields["summary"]!.includes(word)),
            )
            .toReversed()
            .map(({ id }) => ({ id, score: 1 })),
        ),
      add: () => Effect.void,
      remove: () => Effect.void,
      size: () => documents.length,
    }),
}

const folder = mkdtempSync(join(tmpdir(), "planloom-examples-"))
const file = join(folder, "examples.yaml")
writeFileSync(
  file,
  `apiVersion: planloom/v1
kind: Examples
examples:
  - { inputs: { message: light on }, output: { tool: light } }
  - { inputs: { message: door shut }, output: { tool: door }, expect: { tool: door } }
  - { inputs: { message: music loud, room: hall }, output: { tool: music } }
`,
)

const asked = (options: string, index?: Index, { times = 1, where = "" } = {}) =>
  Effect.gen(function* () {
    const seen: Array<ReadonlyArray<Message>> = []
    let said = ""
    const provider: Provider = {
      id: "seeing",
      summary: "Keeps what it is asked.",
      available: Effect.succeed(true),
      generate: ({ messages, system }) =>
        Effect.sync(() => {
          seen.push(messages)
          said = system.map(({ text }) => text).join("\n\n")
          return {
            text: '{"tool":"x"}',
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 1, output: 1 },
          }
        }),
    }
    const { pipeline } = yield* workflowOf(
      `inputs: { message: { type: string }, room: { type: string, default: kitchen } }
stages:
  - id: plan
    uses: plan
    model: seeing/one
    examples: { file: "${file}", user: "\${{ inputs.message }} in the \${{ inputs.room }}"${options} }
    with: { text: "\${{ inputs.message }}"${where} }
outputs: { tool: { type: string, value: "\${{ stages.plan.output.tool }}" } }
`,
      {
        stages: [plan],
        providers: [provider],
        ...(index === undefined ? {} : { indexes: [index] }),
      },
    )
    const runs = Array.from({ length: times }, () =>
      Effect.exit(run(pipeline, { message: "the music please" })),
    )
    const failed = (yield* Effect.all(runs, { concurrency: "unbounded" })).filter(Exit.isFailure)
    const { work } = pipeline.main.nodes[0]!
    const tokens = work.type === "kind" ? exampleTokens(work.examples!) : 0
    return {
      tokens,
      failed: failed.length,
      system: said,
      contents: seen[0]!.map(({ content, role }) => `${role}: ${String(content)}`),
    }
  })

const light = ["user: light on in the kitchen", 'assistant: {"tool":"light"}']
const door = ["user: door shut in the kitchen", 'assistant: {"tool":"door"}']
const music = ["user: music loud in the hall", 'assistant: {"tool":"music"}']
const question = "user: the music please"

it.effect("shows all examples in the order of the file, with the inputs' defaults", () =>
  Effect.gen(function* () {
    const { contents, tokens } = yield* asked("")
    assert.deepStrictEqual(contents, [...light, ...door, ...music, question])
    assert.strictEqual(tokens, 30)
  }),
)

it.effect(
  "shows the first that fit where there is no index, and counts no more than is allowed",
  () =>
    Effect.gen(function* () {
      const { contents, tokens } = yield* asked(", max_tokens: 24")
      assert.deepStrictEqual(contents, [...light, ...door, question])
      assert.strictEqual(tokens, 24)
    }),
)

it.effect("shows those most like the question where not all fit, and none when none fits", () =>
  Effect.gen(function* () {
    const one = yield* asked(", max_tokens: 12", words)
    assert.deepStrictEqual(one.contents, [...music, question])
    const two = yield* asked(", max_tokens: 24", words)
    assert.deepStrictEqual(two.contents, [...door, ...music, question])
    const none = yield* asked(", max_tokens: 3", words)
    assert.deepStrictEqual(none.contents, [question])
  }),
)

it.effect("stand at the end of the system prompt, or nowhere, as a kind says", () =>
  Effect.gen(function* () {
    const inSystem = yield* asked(", max_tokens: 12", words, { where: ", where: system" })
    assert.deepStrictEqual(inSystem.contents, [question])
    assert.strictEqual(
      inSystem.system,
      `Name the tool.

Examples of what a user says and what you reply:

User: "music loud in the hall"
Reply: {"tool":"music"}`,
    )
    const nowhere = yield* asked("", words, { where: ", where: none" })
    assert.deepStrictEqual(nowhere.contents, [question])
    assert.strictEqual(nowhere.system, "Name the tool.")
  }),
)

/** `words`, and how often it was built; the first build fails. */
const countedIndex = () => {
  let builds = 0
  const index: Index = {
    ...words,
    build: (documents) =>
      Effect.suspend(() =>
        ++builds === 1
          ? Effect.fail(
              new ModelFailed({ class: "rate_limit", model: "embedder", message: "not now" }),
            )
          : Effect.andThen(Effect.yieldNow, words.build(documents)),
      ),
  }
  return { index, builds: () => builds }
}

it.effect(
  "are indexed once for all requests; an index that could not be built is tried again",
  () =>
    Effect.gen(function* () {
      const { builds, index } = countedIndex()
      const { contents, failed } = yield* asked(", max_tokens: 12", index, { times: 4 })
      assert.deepStrictEqual(contents, [...music, question])
      assert.strictEqual(failed, 1)
      assert.strictEqual(builds(), 2)
    }),
)
