/** Defaults of schemas: what components in promise style read of params and options that are left out. */
import { expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { CallContext, Draft, StageContext, ToolInvocation } from "../effect.ts"
import { hook, stageKind, subagent, tool, toolSource, validator } from "./index.ts"

const schema = {
  type: "object",
  properties: {
    most: { type: "integer", default: 2 },
    format: {
      type: "object",
      default: {},
      properties: { unit: { type: "string", default: "words" } },
    },
  },
} as const

const filled = { most: 2, format: { unit: "words" } }

const pass = { verdict: "pass", confidence: 1, reason: "fits" } as const

const draft = { text: "One two." } as Draft

const context = (given: object) => given as unknown as CallContext & StageContext

it("a tool reads its params with their defaults, as does its preview", async () => {
  const source = toolSource({
    id: "words",
    summary: "Counts words.",
    tools: [
      tool({
        name: "count",
        summary: "Counts words.",
        params: schema,
        result: { type: "object" },
        preview: (params) => params,
        run: (params, call) => ({ params, same: call.params === params }),
      }),
    ],
  })
  const given = { tool: "count", params: { format: {} } } as unknown as ToolInvocation
  expect(await Effect.runPromise(source.call(given))).toEqual({
    value: { params: filled, same: true },
  })
  expect(await Effect.runPromise(source.preview!(given))).toEqual(filled)
})

it("a validator reads its options with their defaults, in each of its functions", () => {
  const read: Array<unknown> = []
  const one = validator({
    id: "short",
    summary: "Limits the length.",
    input: schema,
    rules: (options) => [read.push(options), "length"].map(String),
    check: (options) => [read.push(options)].flatMap(() => []),
    pending: (text, options) => (read.push(options), text.length),
    validate: (_text, options) => (read.push(options), pass),
  })
  one.validate("One two.", {}, draft)
  one.check!({}, {} as never)
  one.pending!("One", {})
  if (typeof one.rules === "function") one.rules({}, new Map() as never)
  expect(read).toEqual([filled, filled, filled, filled])
})

it("a hook, a subagent and a stage kind read their options with their defaults", async () => {
  const read: Array<unknown> = []
  const hooked = hook({
    id: "watch",
    summary: "Watches.",
    point: "before_tool",
    kind: "observe",
    input: schema,
    run: (_draft, { with: options }) => void read.push(options),
  })
  await Effect.runPromise(hooked.run({} as never, context({ with: {} })) as Effect.Effect<unknown>)
  const reviewer = subagent({
    id: "calm",
    summary: "Reviews the tone.",
    class: "tone",
    can: ["pass"],
    at: "whole",
    scope: "turn",
    input: schema,
    review: (_draft, { with: options }) => (read.push(options), pass),
  })
  await Effect.runPromise(reviewer.review(draft, context({ with: { most: 2 } }) as never))
  const kind = stageKind({
    id: "count",
    summary: "Counts words.",
    input: schema,
    output: { type: "null" },
    run: (input) => (read.push(input), null),
  })
  await Effect.runPromise(kind.run!({ format: {} } as never, context({})) as Effect.Effect<unknown>)
  expect(read).toEqual([filled, filled, filled])
})
