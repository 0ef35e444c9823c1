/** Faults of reviewers that a plugin in promise style has, seen by an application: the policy decides, and nothing leaks. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memorySessions } from "@planloom/core"
import { loadWorkflow } from "@planloom/embed"
import {
  definePlugin,
  ModelFailed,
  provider,
  stageKind,
  subagent,
  validator,
  type CallContext,
  type Finding,
  type ModelClient,
  type ModelPart,
} from "@planloom/plugin"
import type { Part, RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import shadow from "../src/index.ts"

const REPLY = `${"Words that may leave. ".repeat(10)}CANARY ${"More of them. ".repeat(10)}`.trim()
const ESCALATION = "A person will take over."
const usage = { input: 1, output: 1 }
const question = { messages: [{ role: "user", content: "Is it good?" }] } as const
const unsafe = (finding: unknown) => finding as Finding

type Review = (context: CallContext & { readonly model: ModelClient }) => unknown

const faults: { readonly [fault: string]: Review } = {
  "throws nothing": () => {
    throw null
  },
  rejects: () => Promise.reject(new TypeError("gone")),
  "is aborted": () => Promise.reject(new DOMException("aborted", "AbortError")),
  "returns nothing": () => undefined,
  "returns an object that throws": () =>
    new Proxy({}, { getPrototypeOf: () => assert.fail("it was read") }),
  "gives a place outside of the text": () => ({
    verdict: "flag",
    confidence: 1,
    reason: "far",
    spans: [{ start: 0, end: 1e9 }],
  }),
  "asks a model that is busy": async ({ model }) => (await model.text(question)).text,
  "reads half of a JSON text": async ({ model }) =>
    JSON.parse(await model.text(question).then(({ text }) => text.slice(0, 9))),
  "leaves a call behind": ({ model }) => {
    void model.text(question)
    throw new Error("gone")
  },
}

const validating: { readonly [fault: string]: () => unknown } = {
  "throws nothing": faults["throws nothing"] as () => unknown,
  "returns a promise": async () => ({ verdict: "pass", confidence: 1, reason: "fine" }),
}

const open: { readonly [fault: string]: () => number } = {
  "throws where it says what is open": () => assert.fail("gone"),
  "says that what is open starts outside of the text": () => 1e9,
  "says that what is open starts nowhere": () => Number.NaN,
}

const described = { summary: "A part of a test.", class: "quality" } as const
const chosen = {
  type: "object",
  properties: { fault: { type: "string" } },
  required: ["fault"],
} as const

const reviewer = (at: "input" | "window" | "whole") =>
  subagent({
    ...described,
    id: at,
    can: ["pass", "flag", "block"],
    at,
    scope: "last",
    ...(at === "window" ? { longest: 20 } : {}),
    input: chosen,
    review: async (_, context) => unsafe(await faults[context.with.fault]!(context)),
  })

const plugin = definePlugin({
  id: "faulty",
  summary: "Reviewers with faults.",
  components: {
    providers: [
      provider({
        id: "stub",
        summary: "Writes a reply.",
        stream: async function* (): AsyncGenerator<ModelPart> {
          for (const text of REPLY.match(/[^]{1,7}/g)!) yield { type: "text", text }
          yield { type: "finish", reason: "stop", usage }
        },
      }),
      provider({
        id: "court",
        summary: "Judges.",
        generate: ({ model }) => {
          if (model === "busy")
            throw new ModelFailed({ class: "rate_limit", model, message: "429" })
          const text = '{"verdict":"pass"}'
          return { text, reasoning: "", toolCalls: [], finish: "stop", usage }
        },
      }),
    ],
    stages: [
      stageKind({
        id: "speak",
        summary: "Speaks.",
        input: { type: "object" },
        output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        streams: "text",
        model: async (_, { model }) => {
          const { text } = await model.text({ ...question, parts: "reply" })
          return { text }
        },
      }),
    ],
    subagents: [reviewer("input"), reviewer("window"), reviewer("whole")],
    validators: [
      validator({
        ...described,
        id: "check",
        window: 20,
        input: chosen,
        validate: (_, { fault }) =>
          unsafe((validating[fault] ?? (() => ({ verdict: "pass", confidence: 1, reason: "" })))()),
        pending: (text, options) => open[options["fault"] as string]?.() ?? text.length,
      }),
    ],
  },
})

const ran = async (use: string, fault: string, policy: string, isStreamed: boolean) => {
  const path = join(mkdtempSync(join(tmpdir(), "faults-")), "workflow.yaml")
  const model = fault === "asks a model that is busy" ? "busy" : "judge"
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: "planloom/v1",
      kind: "Workflow",
      name: "faulty",
      ...(use === "check" ? {} : { models: { judge: `court/${model}` } }),
      session: { request: "hello", assistant: "${{ stages.reply.output.text }}" },
      texts: { escalate: { en: ESCALATION } },
      shadow: {
        gate: [{ use, with: { fault }, ...(use === "check" ? {} : { model: "judge" }) }],
        on_error: { [use]: policy },
      },
      stages: [{ id: "reply", uses: "speak", model: "stub/any" }],
      outputs: {
        text: { type: "string", value: "${{ stages.reply.output.text }}", stream: true },
      },
    }),
  )
  const workflow = await loadWorkflow(path, { extraPlugins: [shadow, plugin] })
  const events: Array<RunEvent> = []
  const parts: Array<Part> = []
  const sessions = memorySessions()
  const result = await workflow.run(
    {},
    {
      sessions,
      session: "talk",
      onEvent: (event) => void events.push(event),
      ...(isStreamed ? { onPart: (part) => void parts.push(part) } : {}),
    },
  )
  await workflow.close()
  const saved = await Effect.runPromise(sessions.load("talk"))
  return {
    text: (result.outputs as { readonly text: string }).text,
    counted: [
      ...new Set(
        events.flatMap((event) =>
          event.type === "Reviewed" ? [`${event.cause} ${event.verdict}`] : [],
        ),
      ),
    ],
    kept: JSON.stringify([events, parts, result, saved]),
  }
}

const cases = [
  ...["input", "window", "whole"].flatMap((at) =>
    Object.keys(faults).map((fault) => [at, fault] as const),
  ),
  ...[...Object.keys(validating), ...Object.keys(open)].map((fault) => ["check", fault] as const),
]

describe("a reviewer", () => {
  it.each(cases)(
    "(%s) that %s counts as its policy says, streamed and whole",
    async (use, fault) => {
      for (const isStreamed of [true, false]) {
        const blocked = await ran(use, fault, "block", isStreamed)
        assert.strictEqual(blocked.text, ESCALATION)
        assert.notInclude(blocked.kept, "CANARY")
        assert.match(blocked.counted.join(), /^(?:error|invalid) block$/)
        const flagged = await ran(use, fault, "flag", isStreamed)
        assert.strictEqual(flagged.text, REPLY)
        assert.match(flagged.counted.join(), /^(?:error|invalid) flag$/)
      }
    },
  )
})
