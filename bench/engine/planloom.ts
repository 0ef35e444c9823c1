/** The works as workflows of Planloom, with a listener of their events. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import {
  definePlugin,
  stageKind,
  type JsonObject,
  type Provider,
  type Tool,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { list, step, type Once, type Runs } from "./contestants.ts"

const integer = {
  type: "object",
  properties: { value: { type: "integer" } },
  required: ["value"],
  additionalProperties: false,
} as const

/** As plain JavaScript does it: every stage is an async function. */
const increment = stageKind<{ readonly value: number }>({
  id: "increment",
  summary: "Adds one.",
  input: integer,
  output: { type: "integer" },
  run: ({ value }) => Effect.promise(() => step(value)),
})

const tool: Tool = {
  name: "double",
  summary: "Doubles.",
  capabilities: [],
  inputs: {},
  effect: "none",
  params: integer,
  outputs: ["number"],
}

const answerSchema = {
  type: "object",
  properties: { sum: { type: "integer" } },
  required: ["sum"],
  additionalProperties: false,
} as const

let turn = 0
const model: Provider = {
  id: "fake",
  summary: "Two calls: tools, then an answer.",
  generate: () =>
    Effect.sync(() => ({
      text: turn++ % 2 === 0 ? "" : '{"sum":6}',
      reasoning: "",
      toolCalls: [],
      finish: "stop" as const,
      usage: { input: 1, output: 1 },
    })),
}

/**
 * Two model calls, two tools beside each other, an answer checked by schema. Not `Effect.gen` in a function: V8 makes a
 * hidden class for each `function*` that it creates, 2 µs a run and memory that only a full collection frees.
 */
const agent = stageKind<object>({
  id: "agent",
  summary: "A small agent loop.",
  input: { type: "object" },
  output: answerSchema,
  model: Effect.fnUntraced(function* (_, context) {
    const messages = [{ role: "user" as const, content: "add" }]
    yield* context.model.text({ messages })
    yield* Effect.forEach(
      [1, 2],
      (value) => context.callTool({ tool: "double", params: { value }, key: String(value) }),
      { concurrency: 2 },
    )
    return yield* context.model.json({ messages }, { name: "answer", schema: answerSchema })
  }),
})

const plugin = definePlugin({
  id: "bench",
  summary: "No-op work.",
  components: {
    stages: [increment, agent],
    providers: [model],
    tools: [
      {
        id: "bench",
        summary: "Doubles.",
        list: Effect.succeed({ tools: [tool] }),
        call: ({ params }) => Effect.succeed({ value: Number(params["value"]) * 2 }),
      },
    ],
  },
})

const workflow = (inputs: JsonObject, body: string) => async (): Promise<Once> => {
  const path = `${import.meta.dirname}/workflow.yaml`
  const texts = new Map([[path, `apiVersion: planloom/v1\nkind: Workflow\nname: bench\n${body}`]])
  const opening = Scope.provide(load(path, { extraPlugins: [plugin], texts }), Scope.makeUnsafe())
  const { pipeline } = await Effect.runPromise(opening)
  let heard = 0
  return async () => {
    const result = await Effect.runPromise(run(pipeline, inputs, { onEvent: () => void heard++ }))
    if (result.status !== "succeeded" || heard === 0) throw new Error(result.status)
  }
}

const sequence = (more: string) => `inputs: { n: { type: integer } }
policies: { retry: { again: { max_retries: 2, delay: 100ms, backoff: exponential, on: [timeout, unavailable] } } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" }${more} }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`

export const runs: Runs = {
  sequence: workflow({ n: 1 }, sequence("")),
  policies: workflow(
    { n: 1 },
    sequence(", timeout: 30s, retry: again, budget: { tool_calls: 100 }"),
  ),
  parallel: workflow(
    { list },
    `inputs: { list: { type: array, items: { type: integer } } }
stages: [{ id: all, uses: increment, for_each: { in: inputs.list, as: n, max_parallel: 10 }, with: { value: "\${{ n }}" } }]
outputs: { all: { type: array, value: "\${{ stages.all.output }}" } }
`,
  ),
  agent: workflow(
    {},
    `defaults: { model: fake/any }
stages: [{ id: a, uses: agent }]
outputs: { sum: { type: integer, value: "\${{ stages.a.output.sum }}" } }
`,
  ),
}
