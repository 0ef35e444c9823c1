/** The key `shadow` in runs of the engine. */
import { assert, describe, it } from "@effect/vitest"
import { memorySessions, run, type RunOptions } from "@planloom/core"
import type { Part, RunEvent, Subagent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { asking, loaded, source } from "./workflow.ts"

const ran = (yaml: string, reply: string, options: RunOptions & { whole?: true } = {}) =>
  Effect.gen(function* () {
    const { asked, pipeline } = yield* loaded(yaml, reply)
    const events: Array<RunEvent> = []
    const parts: Array<Part> = []
    const { whole, ...more } = options
    const result = yield* run(
      pipeline,
      {},
      {
        ...more,
        onEvent: (event) => void events.push(event),
        ...(whole ? {} : { onPart: (part: Part) => void parts.push(part) }),
      },
    )
    return { asked, events, parts, result }
  })

const problems = (yaml: string, subagents: ReadonlyArray<Subagent> = []) =>
  Effect.map(Effect.flip(loaded(yaml, "", subagents)), (failure) =>
    failure._tag === "WorkflowInvalid"
      ? failure.diagnostics.map(
          ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
        )
      : [String(failure)],
  )

describe("a workflow with `shadow`", () => {
  const bad = "Our profit is guaranteed for you and your family, always."

  it.effect("gives the escalation text for a blocked reply, and keeps it out of everything", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const yaml = source(
        "shadow: { gate: [forbidden] }",
        `session: { request: "hi", assistant: "\${{ stages.reply.output.text }}" }
texts: { escalate: { en: "A colleague writes to you.", es: "Le escribe un colega." } }
user: { type: object, properties: { language: { type: string } } }`,
      )
      const options = { sessions, session: "talk", user: { language: "es" } }
      const { events, parts, result } = yield* ran(yaml, bad, options)
      assert.deepStrictEqual(result.outputs, { answer: "Le escribe un colega." })
      assert.deepStrictEqual(result.stages["reply"]?.output, { text: "Le escribe un colega." })
      const kept = JSON.stringify([events, parts, yield* sessions.load("talk")])
      assert.notInclude(kept, "guaranteed")
      assert.include(kept, "Le escribe un colega.")
    }),
  )

  it.effect("reads at most one part of the model after the one that it blocks", () =>
    Effect.gen(function* () {
      const read: Array<string> = []
      const yaml = source("shadow: { gate: [forbidden] }")
      const { pipeline } = yield* loaded(yaml, `${bad} ${"more ".repeat(50)}`, [], read)
      yield* run(pipeline, {}, { onPart: () => {} })
      // The unit ends with the space after the word.
      assert.isAtMost(read.length, read.indexOf("guaranteed ") + 2)
    }),
  )

  it.effect("gives the same text streamed and whole", () =>
    Effect.gen(function* () {
      const yaml = source("shadow: { gate: [emails, judge] }")
      const reply = "Write to ann@bank.com today."
      const streamed = yield* ran(yaml, reply)
      const whole = yield* ran(yaml, reply, { whole: true })
      assert.deepStrictEqual(streamed.result.outputs, { answer: "Write to [email] today." })
      assert.deepStrictEqual(whole.result.outputs, streamed.result.outputs)
      assert.deepStrictEqual(streamed.asked, ["Speak.", "Judge: Write to [email] today."])
    }),
  )

  it.effect("reviews with the model of the stage although its rate is one call at a time", () =>
    Effect.gen(function* () {
      const yaml = source(
        "shadow: { gate: [reader] }",
        "policies: { rate: { fake: { concurrency: 1 } }, budget: { tokens: 10000 } }",
      )
      const reader = asking("reader", { at: "window", longest: 20 })
      const reply = "good words ".repeat(300)
      const { asked, pipeline } = yield* loaded(yaml, reply, [reader])
      const result = yield* run(pipeline, {}, { onPart: () => {} })
      assert.deepStrictEqual(result.outputs, { answer: reply.trim() })
      assert.isAbove(asked.length, 10)
    }),
  )

  it.effect("asks the model of the section, and counts the verdict in an event", () =>
    Effect.gen(function* () {
      const yaml = source(
        "shadow: { gate: [judge], model: small, confidence: 1 }",
        "models: { small: { try: [fake/small] } }",
      )
      const { events } = yield* ran(yaml, "Good.")
      const models = events.flatMap((event) => (event.type === "ModelCalled" ? [event.model] : []))
      assert.sameMembers(models, ["fake/any", "fake/small"])
      const reviews = events.flatMap((event) => (event.type === "Reviewed" ? [event] : []))
      assert.deepStrictEqual(
        reviews.map(({ cause, reviewer, verdict }) => [reviewer, cause, verdict]),
        [["judge", "verdict", "pass"]],
      )
    }),
  )

  it.effect("marks a run as degraded whose failed review does not block", () =>
    Effect.gen(function* () {
      const broken = asking("broken", { review: () => Effect.die(new Error("lost")) })
      const { pipeline } = yield* loaded(source("shadow: { gate: [broken] }"), "Good.", [broken])
      const result = yield* run(pipeline, {})
      assert.deepStrictEqual(result.outputs, { answer: "Good." })
      assert.deepStrictEqual(result.degraded, [
        {
          path: "reply",
          reason: 'the review by "broken" failed: it threw: Error',
          reviewer: "broken",
        },
      ])
    }),
  )
})

describe("the check of `shadow`", () => {
  const window = (more: Partial<Subagent>) => asking("odd", { at: "window", ...more })

  it.effect.each([
    ["an unknown reviewer", "{ gate: [judgee] }", {}, '6:18 PL4025 there is no reviewer "judgee"'],
    ["no reviewer", "{ timeout: 1s }", {}, "6:9 SHADOW001"],
    ["parts without `longest`", "{ gate: [odd] }", window({}), "6:18 SHADOW002"],
    [
      "replacements of parts without places",
      "{ gate: [{ use: odd }] }",
      window({ longest: 9, can: ["pass", "replace"] }),
      "6:25 SHADOW003",
    ],
    [
      "a changed request",
      "{ gate: [odd] }",
      asking("odd", { at: "input", can: ["pass", "replace"] }),
      "6:18 SHADOW004",
    ],
    [
      "the model of a validator",
      "{ gate: [judge, { use: emails, model: fake/any }] }",
      {},
      "6:47 SHADOW005",
    ],
    ["a budget for validators", "{ gate: [emails], budget: { tokens: 1 } }", {}, "6:35 SHADOW006"],
    [
      "a policy for none of them",
      "{ gate: [judge], on_error: { jude: flag } }",
      {},
      "6:44 SHADOW007",
    ],
    [
      "options that do not fit",
      "{ gate: [{ use: odd, with: { strictt: true } }] }",
      asking("odd", {
        input: {
          type: "object",
          properties: { strict: { type: "boolean" } },
          additionalProperties: false,
        },
      }),
      "strictt",
    ],
    [
      "a reader of the request that is asked later",
      "{ async: [odd] }",
      asking("odd", { at: "input" }),
      "6:19 SHADOW008",
    ],
    [
      "a policy for a reviewer that `gate` does not have",
      "{ gate: [judge], async: [odd], on_timeout: { odd: block } }",
      asking("odd", {}),
      "6:59 SHADOW007",
    ],
    ["a reviewer that is named twice", "{ gate: [judge, emails, judge] }", {}, "6:33 SHADOW010"],
    [
      "a sample that is no percentage",
      "{ async: [judge], sample: half }",
      {},
      '6:35 PL0106 the text "half" does not have the form of "sample"',
    ],
    ["a limit of no time", "{ gate: [judge], timeout: 0s }", {}, "6:35 PL0106"],
    [
      "an unknown provider",
      "{ gate: [judge], model: fakee/x }",
      {},
      '6:33 PL4025 there is no provider "fakee"',
    ],
    [
      "what a reviewer says against its options",
      "{ gate: [{ use: odd, with: { from: 9, to: 2 } }] }",
      asking("odd", {
        check: ({ from, to }) =>
          Number(from) > Number(to)
            ? [{ code: "ODD001", message: "not in order", at: ["to"] }]
            : [],
      }),
      "6:51 ODD001 not in order",
    ],
    [
      "a reviewer that fails at checking its options",
      "{ gate: [odd] }",
      asking("odd", {
        check: () => {
          throw new Error("lost")
        },
      }),
      "6:18 PL4001",
    ],
    [
      "a sample for the queue that is no percentage",
      "{ gate: [judge], queue_sample: 0.2 }",
      {},
      "6:40 PL0103",
    ],
    ["a sample of no later review", "{ gate: [judge], sample: 20% }", {}, "6:34 SHADOW009"],
    ["an unknown model", "{ gate: [judge], model: smal }", {}, 'PL4010 there is no model "smal"'],
  ] as const)("reports %s at its location", ([, section, odd, expected]) =>
    Effect.gen(function* () {
      const found = yield* problems(
        source(`shadow: ${section}`),
        "id" in odd ? [odd as Subagent] : [],
      )
      assert.include(found.join("\n"), expected)
    }),
  )

  it.effect.each([
    ["silent", "silent", '"shadow" reviews nothing: "reply" asks no model'],
    [
      "valued",
      "value",
      '"shadow" cannot review the value of "reply" while output "answer" streams it',
    ],
  ] as const)("reports a stage of kind %s, which it cannot review", ([kind, field, expected]) =>
    Effect.gen(function* () {
      const yaml = `
apiVersion: planloom/v1
kind: Workflow
name: test
stages: [{ id: reply, uses: ${kind}, shadow: { gate: [forbidden] } }]
outputs: { answer: { value: "\${{ stages.reply.output.${field} }}", stream: ${kind === "valued"} } }
`
      assert.include((yield* problems(yaml)).join("\n"), expected)
    }),
  )
})
