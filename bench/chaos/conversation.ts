/** Eight runs at once, each the first turn of a session of its own. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type JsonObject } from "@planloom/plugin/effect"
import type { Workload } from "./Workload.ts"

const plugin = definePlugin({
  id: "conversation",
  summary: "Answers after a moment.",
  components: {
    stages: [
      stageKind<{ readonly text: string }>({
        id: "echo",
        summary: "Gives the text back, in 10 ms.",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        output: { type: "string" },
        run: ({ text }) => Effect.as(Effect.sleep(10), text),
      }),
    ],
  },
})

const text = `apiVersion: planloom/v1
kind: Workflow
name: conversation
inputs: { message: { type: string } }
stages:
  - { id: answer, uses: echo, with: { text: "\${{ inputs.message }}" } }
  - { id: sign, uses: echo, with: { text: "\${{ stages.answer.output + ' in ' + session.id }}" }, needs: [answer] }
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.sign.output }}" }
outputs: { reply: { type: string, value: "\${{ stages.sign.output }}" } }
`

const file = join(import.meta.dirname, "conversation.yaml")
const runs: { [run: string]: JsonObject } = {}
for (let index = 0; index < 8; index++) runs[`talk-${index}`] = { message: `hello ${index}` }

export const workload: Workload = {
  file,
  options: { extraPlugins: [plugin], texts: new Map([[file, text]]) },
  runs,
  sessionOf: (run) => run,
}
