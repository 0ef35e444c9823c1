/** The answer of an `agent` as a streamed output: what of its turns reaches a host while the model writes. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  definePlugin,
  sectionKind,
  type Gate,
  type ModelPart,
  type Part,
  type Released,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import stages from "../src/index.ts"

const said = (text: string): ModelPart => ({ type: "text", text })
const call: ModelPart = {
  type: "tool_call",
  call: { id: "1", name: "rate", arguments: { of: "EUR" } },
}
const ended = (reason: "stop" | "tool_calls"): ModelPart => ({
  type: "finish",
  reason,
  usage: { input: 1, output: 1 },
})

const shown = (part: Part): string => {
  switch (part.type) {
    case "text":
      return part.text
    case "reset":
      return `reset: ${part.cause}`
    default:
      return part.type
  }
}

/** Writes in capitals. */
const capitals: Gate = {
  open: () => (given) => {
    let whole = ""
    return Stream.concat(
      Stream.map(given, (piece): Released => {
        whole += piece.toUpperCase()
        return { type: "release", text: piece.toUpperCase() }
      }),
      Stream.suspend(() => Stream.make<[Released]>({ type: "settled", text: whole, findings: [] })),
    )
  },
}

/** Runs an agent whose model writes one turn after another. */
const streamed = Effect.fnUntraced(function* (
  model: "native" | "text",
  turns: ReadonlyArray<ReadonlyArray<ModelPart>>,
  given = "",
  top = "",
) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-agent-"))
  writeFileSync(
    join(folder, "planloom.yaml"),
    "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [models.yaml]\n",
  )
  writeFileSync(
    join(folder, "models.yaml"),
    `apiVersion: planloom/v1
kind: Models
models: { scripted/native: { capabilities: [tools] }, scripted/text: { capabilities: [] } }
`,
  )
  const path = join(folder, "workflow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: agents
${top}
stages:
  - { id: work, uses: agent, model: scripted/${model}, with: { task: Convert., tools: [rate]${given} } }
outputs: { answer: { type: string, stream: true, value: "\${{ stages.work.output.text }}" } }
`,
  )
  let asked = 0
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: {
      sections: [
        sectionKind<boolean>({
          on: "workflow",
          key: "capitals",
          summary: "A gate.",
          schema: { type: "boolean" },
          bind: () => ({ gate: capitals }),
        }),
      ],
      tools: [
        {
          id: "t",
          summary: "Tools.",
          list: Effect.succeed({
            tools: [
              {
                name: "rate",
                summary: "Gives a rate.",
                effect: "read",
                capabilities: [],
                inputs: {},
                outputs: [],
                params: { type: "object", properties: { of: { type: "string" } } },
              },
            ],
          }),
          call: () => Effect.succeed({ value: 1.25 }),
        },
      ],
      providers: [
        {
          id: "scripted",
          summary: "Plays a script.",
          stream: () => Stream.rechunk(Stream.fromIterable(turns[asked++]!), 1),
        },
      ],
    },
  })
  const { pipeline } = yield* load(path, { extraPlugins: [stages, plugin] })
  const course: Array<string> = []
  const { outputs } = yield* run(pipeline, {}, { onPart: (part) => void course.push(shown(part)) })
  return { course, answer: outputs["answer"] }
})

describe("the answer of an agent as a streamed output", () => {
  it.effect("arrives as it is written, and text before a tool call is voided", () =>
    Effect.gen(function* () {
      const { answer, course } = yield* streamed("native", [
        [said("Let me"), said(" look."), call, ended("tool_calls")],
        [
          { type: "reasoning", text: "easy" },
          said("<think>so</think>It is"),
          said(" 1.25."),
          ended("stop"),
        ],
      ])
      assert.deepStrictEqual(course, [
        "Let me",
        " look.",
        "reset: tool_call",
        "It is",
        " 1.25.",
        "settled",
      ])
      assert.strictEqual(answer, "It is 1.25.")
    }),
  )

  it.effect(
    "of a model that calls tools in its text arrives whole, without the JSON around it",
    () =>
      Effect.gen(function* () {
        const { answer, course } = yield* streamed("text", [
          [said('{"calls": [{"tool": "rate", '), said('"params": {"of": "EUR"}}]}'), ended("stop")],
          [said('{"answer": "It is'), said(' 1.25."}'), ended("stop")],
        ])
        assert.deepStrictEqual(course, ["It is 1.25.", "settled"])
        assert.strictEqual(answer, "It is 1.25.")
      }),
  )

  it.effect("passes the gate in each turn, and is what the gate settled", () =>
    Effect.gen(function* () {
      const { answer, course } = yield* streamed(
        "native",
        [
          [said("Let me look."), call, ended("tool_calls")],
          [said("It is 1.25 euro."), ended("stop")],
        ],
        "",
        "capitals: true",
      )
      assert.deepStrictEqual(course, [
        "LET ME LOOK.",
        "reset: tool_call",
        "IT IS 1.25 EURO.",
        "settled",
      ])
      assert.strictEqual(answer, "IT IS 1.25 EURO.")
    }),
  )

  it.effect("of a model that calls tools in its text is refused where there is a gate", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        streamed("text", [[said('{"answer": "Hi."}'), ended("stop")]], "", "capitals: true"),
      )
      assert.match(
        String(failed),
        /"capitals" cannot read the calls of "work": "scripted\/text" is known to call tools in its text/,
      )
    }),
  )

  it.effect("is the text of the last turn when a limit ends the loop", () =>
    Effect.gen(function* () {
      const { answer, course } = yield* streamed(
        "native",
        [[said("Let me look."), call, ended("tool_calls")]],
        ", max_turns: 1",
      )
      assert.deepStrictEqual(course, [
        "Let me look.",
        "reset: tool_call",
        "Let me look.",
        "settled",
      ])
      assert.strictEqual(answer, "Let me look.")
    }),
  )
})
