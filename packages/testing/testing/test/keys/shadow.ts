/** Examples of the keys of reviews: of a workflow and a stage. */
import * as Effect from "effect/Effect"
import { StageFailed, subagent, type Verdict } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import { priced } from "./stageLimits.ts"
import type { World } from "./World.ts"
import { byDefault, examples, flow, many } from "./worlds.ts"

interface Options {
  readonly verdict?: Verdict
  readonly confidence?: number
  /** Milliseconds. */
  readonly takes?: number
  readonly fails?: boolean
  readonly asks?: boolean
}

const reviewer = (id: string, also: Verdict) =>
  subagent<Options>({
    id,
    summary: "Finds what its options say.",
    class: "quality",
    can: ["pass", "flag", "replace", "block"],
    at: "whole",
    scope: "last",
    input: {
      type: "object",
      properties: {
        verdict: { type: "string" },
        confidence: { type: "number" },
        takes: { type: "integer" },
        fails: { type: "boolean" },
        asks: { type: "boolean" },
      },
      additionalProperties: false,
    },
    review: (_, { model, with: options }) => {
      const { asks, confidence = 1, fails, takes = 0, verdict = also } = options
      const work = asks ? Effect.asVoid(model.text({ messages: [] })) : Effect.sleep(takes)
      return Effect.flatMap(work, () =>
        fails
          ? Effect.fail(new StageFailed({ class: "internal", message: "broken" }))
          : Effect.succeed({ verdict, confidence, reason: id, text: `${id} text` }),
      )
    },
  })

const components = () => ({ subagents: [reviewer("judge", "flag"), reviewer("strict", "block")] })

/** Three replies, one after another. */
const replies = (shadow: string, isOfStage: boolean): World => {
  const section = `shadow: ${shadow}`
  return flow(
    `
models: { small: { try: [scripted/two] }, large: { try: [scripted/three] } }
${isOfStage ? "" : section}
stages:
  - id: speak
    uses: generate
    model: scripted/one
    for_each: { in: "\${{ [1, 2, 3] }}", as: number, max_parallel: 1 }
    with: { task: Speak. }
    ${isOfStage ? section : ""}
outputs: { said: { value: "\${{ stages.speak.output }}" } }
`,
    {
      replies: many({ text: "done", usage: { input: 1000, output: 1000 }, delay: 1500 }),
      files: priced,
      components,
    },
  )
}

/** One reply that is an output as it is: it can be corrected. */
const reply = (shadow: string, isOfStage: boolean): World => {
  const section = `shadow: ${shadow}`
  return flow(
    `
models: { small: { try: [scripted/two] }, large: { try: [scripted/three] } }
${isOfStage ? "" : section}
stages:
  - id: speak
    uses: generate
    model: scripted/one
    with: { task: Speak. }
    ${isOfStage ? section : ""}
outputs: { said: { type: string, value: "\${{ stages.speak.output.text }}" } }
`,
    {
      replies: many({ text: "done", usage: { input: 1000, output: 1000 } }),
      files: priced,
      components,
    },
  )
}

/** One reply, then one whose reviewer shows whether the review queue has an item of the first. */
const queued = (shadow: string, isOfStage: boolean): World => {
  const section = `shadow: ${shadow}`
  const queue = subagent({
    id: "queue",
    summary:
      "Takes the items of the first stage from the review queue, and flags if there are any.",
    class: "quality",
    can: ["pass", "flag"],
    at: "whole",
    scope: "last",
    review: (_, { collection, run }) =>
      Effect.gen(function* () {
        const items = yield* collection("reviews").list({ prefix: `${run}/sampled/` })
        yield* Effect.forEach(items, ({ key }) => collection("reviews").remove(key))
        return {
          verdict: items.length > 0 ? ("flag" as const) : ("pass" as const),
          confidence: 1,
          reason: "queue",
        }
      }).pipe(Effect.orDie),
  })
  return flow(
    `
${isOfStage ? "" : section}
stages:
  - id: sampled
    uses: generate
    model: scripted/one
    with: { task: Speak. }
    ${isOfStage ? section : ""}
  - { id: next, uses: generate, model: scripted/one, with: { task: Speak. }, shadow: { gate: [queue] } }
outputs: { said: { value: "\${{ stages.next.output }}" } }
`,
    {
      replies: many({ text: "done" }),
      files: priced,
      components: () => ({ subagents: [...components().subagents, queue] }),
    },
  )
}

const judge = (options: string, more = ""): string =>
  `{ gate: [{ use: judge, with: { ${options} } }]${more} }`

const rowsOf = (isOfStage: boolean): ReadonlyArray<KeyExample> => {
  const owner = isOfStage ? "stage shadow" : "workflow shadow"
  const at = isOfStage ? "stages.0.shadow" : "shadow"
  const world = (options: string, more?: string) => replies(judge(options, more), isOfStage)
  const later = (options: string, more = "") =>
    reply(`{ async: [{ use: judge, with: { ${options} } }]${more} }`, isOfStage)
  const breaker = (more: string) => world("fails: true, takes: 1000", `, breaker: { ${more} }`)
  return [
    ...examples({ owner, at, world: world("verdict: pass") }, [
      ["gate", ["judge"], ["strict"]],
      ["gate.use", `${at}.gate.0.use`, "judge", "strict"],
      ["gate.with", `${at}.gate.0.with`, { verdict: "replace" }, { verdict: "block" }],
    ]),
    ...examples({ owner, at, world: later("verdict: pass") }, [
      ["async", ["judge"], ["strict"]],
      ["async.use", `${at}.async.0.use`, "judge", "strict"],
      ["async.with", `${at}.async.0.with`, { verdict: "pass" }, { verdict: "block" }],
      ["sample", "0%", byDefault("100%")],
    ]),
    ...examples({ owner, at, world: queued(judge("verdict: pass"), isOfStage) }, [
      ["queue_sample", "100%", byDefault("0%")],
    ]),
    ...examples({ owner, at, world: later("asks: true") }, [
      ["async.model", `${at}.async.0.model`, "small", "large"],
    ]),
    ...examples({ owner, at, world: later("verdict: block, takes: 10000") }, [
      ["async.timeout", `${at}.async.0.timeout`, "1s", "5s"],
      ["async_timeout", "1s", byDefault("30s")],
    ]),
    ...examples({ owner, at, world: world("asks: true") }, [
      ["model", "small", "large"],
      ["gate.model", `${at}.gate.0.model`, "small", "large"],
      ["budget", { tokens: 1 }, { tokens: 3000 }],
    ]),
    ...examples({ owner, at, world: world("asks: true", ", budget: {}") }, [
      ["budget.tokens", 1, 3000],
      ["budget.cost_usd", 3, 6],
    ]),
    ...examples({ owner, at, world: world("verdict: block, confidence: 0.6") }, [
      ["confidence", 0.7, byDefault(0)],
    ]),
    ...examples({ owner, at, world: world("takes: 40000") }, [
      ["timeout", "1s", "50s"],
      ["gate.timeout", `${at}.gate.0.timeout`, "1s", "50s"],
      ["on_timeout", { judge: "block" }, byDefault({ judge: "flag" })],
    ]),
    ...examples({ owner, at, world: world("fails: true") }, [
      ["on_error", { judge: "block" }, byDefault({ quality: "flag" })],
      [
        "breaker",
        { failures: 1, within: "1m", probe_after: "1h" },
        { failures: 2, within: "1m", probe_after: "1h" },
      ],
    ]),
    ...examples({ owner, at, world: world("verdict: replace") }, [
      ["on_conflict", "flag", byDefault("block")],
    ]),
    ...examples({ owner, at, world: breaker("within: 1m, probe_after: 1h") }, [
      ["breaker.failures", 1, 2],
    ]),
    ...examples({ owner, at, world: breaker("failures: 2, probe_after: 1h") }, [
      ["breaker.within", "1s", "1m"],
    ]),
    ...examples({ owner, at, world: breaker("failures: 1, within: 1m") }, [
      ["breaker.probe_after", "1s", "1h"],
    ]),
  ]
}

export const shadowExamples: ReadonlyArray<KeyExample> = [...rowsOf(false), ...rowsOf(true)]
