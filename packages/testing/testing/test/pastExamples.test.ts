/** Examples with a conversation before them: what a model is shown, and the run that tries them. */
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { check } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import { exampleCases, runExample } from "@planloom/testing"
import { cached, folderOf, header, options, safetyModel, scout } from "./pastWorld.ts"

/** Runs the examples of the stage, each shown the others; with what the model was sent. */
const examplesRun = (examples: string, use = 'user: "${{ inputs.message }}"') =>
  Effect.gen(function* () {
    const file = header("Examples", `examples:\n${examples}`)
    const stage = `uses: generate\n    examples: { file: examples.yaml, ${use} }\n`
    const folder = folderOf({
      "flow.yaml": header(
        "Workflow",
        `name: scout\ndefaults: { model: scripted/one }\n${scout.replace("uses: generate\n", stage)}`,
      ),
      "examples.yaml": file,
    })
    const model = safetyModel()
    const extra = definePlugin({
      id: "model",
      summary: "A model.",
      components: { providers: [model] },
    })
    const loading = { extraPlugins: [...options.load.extraPlugins, extra] }
    const { diagnostics, workflow } = yield* check(join(folder, "flow.yaml"), loading)
    const all = workflow === undefined ? [] : exampleCases(workflow.pipeline)
    const outcomes = yield* Effect.forEach(all, (one) => runExample(one, workflow!))
    return {
      problems: diagnostics.map(
        ({ code, file: at, message, start }) =>
          `${basename(at)}:${start.line}:${start.col} ${code} ${message}`,
      ),
      misses: outcomes.flatMap(({ misses }) => misses),
      requests: model.requests.map(({ messages }) =>
        messages.map(({ content, role }) => `${role}: ${String(content)}`),
      ),
    }
  })

const safe = `output: { value: ${cached} }`
const found =
  "session: { turns: [{ user: find PEPE, assistant: It is at 0x69. }], entities: [{ type: token, id: '0x69', name: PEPE }] }"

describe("an example with a session before it", () => {
  it.effect("shows a model the turns before it, and is tried with them", () =>
    Effect.gen(function* () {
      const { misses, problems, requests } =
        yield* examplesRun(`  - { inputs: { message: Is it safe? }, ${found}, ${safe} }
  - { inputs: { message: hello }, ${safe} }
`)
      assert.deepStrictEqual([problems, misses], [[], []])
      const [first, second] = requests
      assert.match(
        first!.at(-1)!,
        /"known":\[\{"type":"token","id":"0x69","name":"PEPE","turn":1\}\],"said":\[\{"user":"find PEPE"/,
      )
      assert.isFalse(first!.some((message) => message === "assistant: It is at 0x69."))
      assert.deepStrictEqual(second!.slice(0, 4), [
        "user: find PEPE",
        "assistant: It is at 0x69.",
        "user: Is it safe?",
        `assistant: {"value":${cached}}`,
      ])
    }),
  )

  it.effect("counts its turns against the limit of the examples, and its text can read them", () =>
    Effect.gen(function* () {
      const user =
        "user: \"${{ inputs.message }} (${{ session.entities.map(e, e.name).join(', ') }})\""
      const all = `  - { inputs: { message: Is it safe? }, ${found}, ${safe} }
  - { inputs: { message: hello }, ${safe} }
`
      const whole = yield* examplesRun(all, user)
      assert.deepStrictEqual(whole.problems, [])
      assert.strictEqual(whole.requests[1]![2], "user: Is it safe? (PEPE)")
      const tokens = 33
      const cut = yield* examplesRun(all, `${user}, max_tokens: ${tokens}`)
      assert.lengthOf(cut.requests[1]!, 1)
      const plain = yield* examplesRun(
        all.replace(found + ", ", ""),
        `${user}, max_tokens: ${tokens}`,
      )
      assert.lengthOf(plain.requests[1]!, 3)
    }),
  )

  it.effect("stays in the prompt of one with the same text after other turns", () =>
    Effect.gen(function* () {
      const { requests } =
        yield* examplesRun(`  - { inputs: { message: Is it safe? }, ${found}, ${safe} }
  - { inputs: { message: Is it safe? }, ${safe} }
`)
      assert.strictEqual(requests[0]![0], "user: Is it safe?")
      assert.strictEqual(requests[1]![0], "user: find PEPE")
    }),
  )

  it.effect("is refused at its place unless the workflow can have it", () =>
    Effect.gen(function* () {
      const problem = (session: string) =>
        Effect.map(
          examplesRun(`  - { inputs: { message: a }, session: ${session}, ${safe} }\n`),
          ({ problems }) => problems[0] ?? "",
        )
      assert.match(
        yield* problem("{ state: { asked: four } }"),
        /^examples.yaml:4:\d+ PL0103 the state "asked"/,
      )
      assert.match(
        yield* problem(
          "{ turns: [{ user: a, assistant: b, calls: [{ tool: find_token, result: 1 }] }] }",
        ),
        /^examples.yaml:4:\d+ PL4004 an example shows no calls/,
      )
      assert.match(yield* problem("{ turns: [{ user: a }] }"), /^examples.yaml:4:\d+ PL0102/)
    }),
  )
})
