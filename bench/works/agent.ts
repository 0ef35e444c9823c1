/** An agent loop by hand: two model calls, two tools beside each other, an answer checked by schema. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type Message } from "@planloom/plugin/effect"
import { adding, answerSchema } from "./adding.ts"
import { runsOf, type Start } from "./Work.ts"

/**
 * Not `Effect.gen` in a function: V8 makes a hidden class for each `function*` that it creates, 2 µs a run and memory
 * that only a full collection frees.
 */
const agent = stageKind<object>({
  id: "agent",
  summary: "A small agent loop.",
  input: { type: "object" },
  output: answerSchema,
  model: Effect.fnUntraced(function* (_, context) {
    const messages: ReadonlyArray<Message> = [{ role: "user", content: "add" }]
    const { toolCalls } = yield* context.model.text({ messages, tools: ["double"] })
    const results = yield* Effect.forEach(
      toolCalls,
      ({ arguments: params, id, name }) => context.callTool({ tool: name, params, key: id }),
      { concurrency: 2 },
    )
    return yield* context.model.json(
      {
        messages: [
          ...messages,
          { role: "assistant", content: "", toolCalls },
          ...toolCalls.map(({ id, name }, index): Message => ({
            role: "tool",
            toolCallId: id,
            name,
            content: results[index]!,
          })),
        ],
      },
      { name: "answer", schema: answerSchema },
    )
  }),
})

const plugin = definePlugin({ id: "bench", summary: "A loop.", components: { stages: [agent] } })

export const start: Start = () =>
  runsOf({
    body: `defaults: { model: fake/any }
stages: [{ id: a, uses: agent }]
outputs: { sum: { type: integer, value: "\${{ stages.a.output.sum }}" } }
`,
    plugins: [plugin, adding()],
    check: ({ sum }) => sum === 6,
  })
