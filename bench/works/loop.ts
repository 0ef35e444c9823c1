/** The same agent as a loop of the engine. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type Json } from "@planloom/plugin/effect"
import { adding, answerSchema } from "./adding.ts"
import { runsOf } from "./Work.ts"

const agent = stageKind<object>({
  id: "agent",
  summary: "An agent.",
  input: { type: "object" },
  output: answerSchema,
  model: (_, { model }) =>
    Effect.map(
      model.agent(
        { messages: [{ role: "user", content: "add" }], tools: ["double"] },
        { turns: 4, result: answerSchema },
      ),
      ({ value }) => value as Json,
    ),
})

const plugin = definePlugin({ id: "bench", summary: "A loop.", components: { stages: [agent] } })

/** `wait` is what a tool waits for. */
export const looping = (wait?: () => Promise<unknown>) =>
  runsOf({
    body: `defaults: { model: fake/any }
stages: [{ id: a, uses: agent }]
outputs: { sum: { type: integer, value: "\${{ stages.a.output.sum }}" } }
`,
    plugins: [plugin, adding(wait)],
    check: ({ sum }) => sum === 6,
  })

export const start = () => looping()
