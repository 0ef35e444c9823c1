/** A stage with ten model calls, each with two hooks before it and one after it. */
import * as Effect from "effect/Effect"
import { definePlugin, hook, stageKind } from "@planloom/plugin/effect"
import { provider } from "@planloom/plugin"
import hooks from "@planloom/hooks"
import { runsOf, type Start } from "./Work.ts"

const plugin = definePlugin({
  id: "bench",
  summary: "Hooks.",
  components: {
    providers: [
      provider({
        id: "fake",
        summary: "Answers.",
        generate: async ({ messages }) => ({
          text: messages[0]!.content === "Please?" ? "fine" : "rude",
          reasoning: "",
          toolCalls: [],
          finish: "stop",
          usage: { input: 1, output: 1 },
        }),
      }),
    ],
    hooks: [
      hook({
        id: "polite",
        summary: "Changes the messages.",
        point: "before_model",
        kind: "transform",
        run: () => ({ messages: [{ role: "user", content: "Please?" }] }),
      }),
      hook({
        id: "counter",
        summary: "Counts the messages.",
        point: "before_model",
        kind: "observe",
        run: ({ messages }) => {
          if (messages.length !== 1) throw new Error("wrong")
        },
      }),
      hook({
        id: "reader",
        summary: "Reads the reply.",
        point: "after_model",
        kind: "observe",
        run: ({ reply }) => {
          if (reply.text !== "fine") throw new Error("wrong")
        },
      }),
    ],
    stages: [
      stageKind<object>({
        id: "ask",
        summary: "Asks ten times.",
        input: { type: "object" },
        output: { type: "string" },
        model: Effect.fnUntraced(function* (_, { model }) {
          let said = ""
          for (let index = 0; index < 10; index++) {
            said = (yield* model.text({ messages: [{ role: "user", content: "?" }] })).text
          }
          return said
        }),
      }),
    ],
  },
})

export const start: Start = () =>
  runsOf({
    body: `defaults: { model: fake/any }
hooks: [{ use: polite }, { use: counter }, { use: reader }]
stages: [{ id: a, uses: ask }]
outputs: { said: { type: string, value: "\${{ stages.a.output }}" } }
`,
    plugins: [hooks, plugin],
    check: ({ said }) => said === "fine",
  })
