/** A model that calls two tools and then answers, and these tools: all are async functions, as those of a host are. */
import { definePlugin, provider, tool, toolSource } from "@planloom/plugin"
import { integer } from "./increments.ts"

export const answerSchema = {
  type: "object",
  properties: { sum: { type: "integer" } },
  required: ["sum"],
  additionalProperties: false,
} as const

const usage = { input: 1, output: 1 }

const toolCalls = [1, 2].map((value) => ({
  id: `call${value}`,
  name: "double",
  arguments: { value },
}))

/** Asks for two calls, and answers once there are results. */
const model = provider({
  id: "fake",
  summary: "Calls tools, then answers.",
  generate: async ({ messages }) =>
    messages.length > 1
      ? { text: '{"sum":6}', reasoning: "", toolCalls: [], finish: "stop", usage }
      : { text: "", reasoning: "", toolCalls, finish: "tool_calls", usage },
})

/** `wait` is what a call waits for. */
export const adding = (wait?: () => Promise<unknown>) =>
  definePlugin({
    id: "adding",
    summary: "A model and its tool.",
    components: {
      providers: [model],
      tools: [
        toolSource({
          id: "numbers",
          summary: "Doubles.",
          tools: [
            tool({
              name: "double",
              summary: "Doubles.",
              effect: "none",
              params: integer,
              run: async ({ value }) => {
                if (wait !== undefined) await wait()
                return value * 2
              },
            }),
          ],
        }),
      ],
    },
  })
