/** A stage that replies, and a key `late` whose gate reviews the reply after it has left. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { load } from "@planloom/embed"
import {
  definePlugin,
  sectionKind,
  stageKind,
  type Gate,
  type GateContext,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const summary = "A part of a test."

type Review = (
  which: string,
  text: string,
  context: GateContext,
) => ReturnType<NonNullable<Gate["after"]>>

/** `afterMs` as in `Gate`. */
export const reviewedBy = (review: Review, afterMs?: number) =>
  definePlugin({
    id: "test",
    summary,
    components: {
      providers: [
        {
          id: "fake",
          summary,
          stream: ({ messages }) =>
            Stream.make(
              { type: "text", text: String(messages[0]!.content) },
              { type: "finish", reason: "stop", usage: { input: 1, output: 1 } },
            ),
        },
      ],
      stages: [
        stageKind<{ readonly say: string }>({
          id: "reply",
          summary,
          input: { type: "object", properties: { say: { type: "string" } }, required: ["say"] },
          output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
          streams: "text",
          model: ({ say }, { model }) =>
            Effect.map(
              model.text({ messages: [{ role: "user", content: say }], parts: "reply" }),
              ({ text: said }) => ({ text: said }),
            ),
        }),
      ],
      sections: [
        sectionKind<string>({
          on: "stage",
          key: "late",
          summary,
          schema: { type: "string" },
          bind: (which) => ({
            gate: {
              open: () => (given) =>
                Stream.fromEffect(
                  Effect.map(Stream.mkString(given), (whole) => ({
                    type: "settled" as const,
                    text: whole,
                    findings: [],
                  })),
                ),
              after: (said, _, context) => review(which, said, context),
              ...(afterMs === undefined ? {} : { afterMs }),
            },
          }),
        }),
      ],
    },
  })

const text = `apiVersion: planloom/v1
kind: Workflow
name: talk
inputs: { message: { type: string } }
stages: [{ id: one, uses: reply, model: fake/any, with: { say: "Re \${{ inputs.message }}" }, late: one }]
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.one.output.text }}" }
outputs: { one: { type: string, value: "\${{ stages.one.output.text }}" } }
`

/** A session whose replies are reviewed late; the reply to "a" is "Re a". */
export const talking = (folder: string, review: ReturnType<typeof reviewedBy>) => {
  const file = join(folder, "talk.yaml")
  writeFileSync(file, text)
  return Effect.map(load(file, { extraPlugins: [review] }), ({ pipeline }) => pipeline)
}
