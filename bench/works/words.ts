/** A stage whose reply of 400 words is streamed. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type ModelPart, type Plugin } from "@planloom/plugin/effect"
import { provider } from "@planloom/plugin"
import { runsOf } from "./Work.ts"

const words = Array.from({ length: 400 }, (_, index) => (index % 9 === 8 ? "today. " : "word "))

async function* written(): AsyncGenerator<ModelPart> {
  for (const text of words) yield { type: "text", text }
  yield { type: "finish", reason: "stop", usage: { input: 1, output: 1 } }
}

const plugin = definePlugin({
  id: "bench",
  summary: "Writes.",
  components: {
    providers: [provider({ id: "fake", summary: "Writes words.", stream: written })],
    stages: [
      stageKind<object>({
        id: "reply",
        summary: "Replies.",
        input: { type: "object" },
        output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        streams: "text",
        model: (_, { model }) =>
          Effect.map(
            model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
            ({ text }) => ({ text }),
          ),
      }),
    ],
  },
})

/** `more` goes into the workflow. */
export const replies = (more: string, plugins: ReadonlyArray<Plugin>) => {
  let read = 0
  return runsOf({
    body: `${more}
stages: [{ id: reply, uses: reply, model: fake/any }]
outputs: { text: { type: string, value: "\${{ stages.reply.output.text }}", stream: true } }
`,
    plugins: [...plugins, plugin],
    options: {
      onPart: (part) => {
        if (part.type === "text") read++
      },
    },
    check: ({ text }) => read > 0 && text === words.join("").trim(),
  })
}
