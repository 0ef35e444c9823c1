/** Workflows with reviewers of a test: the model is a function, reviewers are plugins. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { load } from "@planloom/embed"
import {
  definePlugin,
  stageKind,
  subagent,
  type ModelPart,
  type Provider,
  type Subagent,
  type Validator,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import shadow from "../src/index.ts"
import { emails, forbidden, pass } from "./probe.ts"

const summary = "A part of a test."

const speak = stageKind<object>({
  id: "speak",
  summary,
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "Speak." }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const silent = stageKind<object>({
  id: "silent",
  summary,
  input: { type: "object" },
  output: true,
  run: () => Effect.succeed(null),
})

const valued = stageKind<object>({
  id: "valued",
  summary,
  input: { type: "object" },
  output: { type: "object", properties: { value: true }, required: ["value"] },
  streams: "value",
  run: () => Effect.succeed({ value: null }),
})

/** Replies word by word. */
const provider = (reply: string, seen: Array<string>, read: Array<string> = []): Provider => ({
  id: "fake",
  summary,
  stream: ({ messages }) =>
    Stream.suspend(() => {
      const asked = String(messages.at(-1)?.content)
      seen.push(asked)
      const quoted = asked.startsWith("Quote: ") ? asked.slice("Quote: ".length) : "fine"
      const words = asked === "Speak." ? reply.match(/\S+\s*/g)! : [quoted]
      const parts: ReadonlyArray<ModelPart> = [
        ...words.map((text): ModelPart => ({ type: "text", text })),
        { type: "finish", reason: "stop", usage: { input: 10, output: 10 } },
      ]
      return Stream.tap(Stream.rechunk(Stream.fromIterable(parts), 1), (part) =>
        Effect.sync(() => void (part.type === "text" && read.push(part.text))),
      )
    }),
})

export const asking = (id: string, more: Partial<Subagent> = {}): Subagent =>
  subagent({
    id,
    summary,
    class: "quality",
    can: ["pass", "flag", "block"],
    at: "whole",
    scope: "turn",
    review: ({ text }, { model }) =>
      Effect.as(model.text({ messages: [{ role: "user", content: `Judge: ${text}` }] }), pass),
    ...more,
  })

export const source = (section: string, more = "") => `
apiVersion: planloom/v1
kind: Workflow
name: test
${more}
${section}
stages: [{ id: reply, uses: speak, model: fake/any }]
outputs:
  answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true }
`

export const loaded = (
  yaml: string,
  reply: string,
  subagents: ReadonlyArray<Subagent> = [],
  read?: Array<string>,
  validators: ReadonlyArray<Validator> = [],
) => {
  const path = join(mkdtempSync(join(tmpdir(), "shadow-")), "workflow.yaml")
  writeFileSync(path, yaml)
  const asked: Array<string> = []
  const plugin = definePlugin({
    id: "test",
    summary,
    components: {
      stages: [speak, silent, valued],
      providers: [provider(reply, asked, read)],
      validators: [emails, forbidden, ...validators],
      subagents: [asking("judge"), ...subagents],
    },
  })
  return Effect.map(load(path, { extraPlugins: [shadow, plugin] }), ({ pipeline }) => ({
    pipeline,
    asked,
  }))
}
