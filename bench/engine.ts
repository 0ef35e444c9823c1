/**
 * Engine overhead beside plain JavaScript and bare Effect, in one run: `node bench/engine.ts [rounds] [work]`.
 * Work is a no-op, so all that is measured is the engine. CPU µs per run, minima and medians of interleaved chunks of
 * CPU time. `work` is how the name of the only work to measure begins.
 */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import {
  definePlugin,
  stageKind,
  type JsonObject,
  type Provider,
  type Tool,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"

const rounds = Number(process.argv[2] ?? 12)
const only = process.argv[3] ?? ""
const step = async (value: number) => value + 1

const integer = {
  type: "object",
  properties: { value: { type: "integer" } },
  required: ["value"],
  additionalProperties: false,
} as const

/** As plain JavaScript does it: every stage is an async function. */
const increment = stageKind<{ readonly value: number }>({
  id: "increment",
  summary: "Adds one.",
  input: integer,
  output: { type: "integer" },
  run: ({ value }) => Effect.promise(() => step(value)),
})

const tool: Tool = {
  name: "double",
  summary: "Doubles.",
  capabilities: [],
  inputs: {},
  effect: "none",
  params: integer,
  outputs: ["number"],
}

const answerSchema = {
  type: "object",
  properties: { sum: { type: "integer" } },
  required: ["sum"],
  additionalProperties: false,
} as const

let turn = 0
const model: Provider = {
  id: "fake",
  summary: "Two calls: tools, then an answer.",
  generate: () =>
    Effect.sync(() => ({
      text: turn++ % 2 === 0 ? "" : '{"sum":6}',
      reasoning: "",
      toolCalls: [],
      finish: "stop" as const,
      usage: { input: 1, output: 1 },
    })),
}

/**
 * Two model calls, two tools beside each other, an answer checked by schema. Not `Effect.gen` in a function: V8 makes a
 * hidden class for each `function*` that it creates, 2 µs a run and memory that only a full collection frees.
 */
const agent = stageKind<object>({
  id: "agent",
  summary: "A small agent loop.",
  input: { type: "object" },
  output: answerSchema,
  model: Effect.fnUntraced(function* (_, context) {
    const messages = [{ role: "user" as const, content: "add" }]
    yield* context.model.text({ messages })
    yield* Effect.forEach(
      [1, 2],
      (value) => context.callTool({ tool: "double", params: { value }, key: String(value) }),
      { concurrency: 2 },
    )
    return yield* context.model.json({ messages }, { name: "answer", schema: answerSchema })
  }),
})

const plugin = definePlugin({
  id: "bench",
  summary: "No-op work.",
  components: {
    stages: [increment, agent],
    providers: [model],
    tools: [
      {
        id: "bench",
        summary: "Doubles.",
        list: Effect.succeed({ tools: [tool] }),
        call: ({ params }) => Effect.succeed({ value: Number(params["value"]) * 2 }),
      },
    ],
  },
})

const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"))
const compiled = async (name: string, body: string) => {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\n${body}`)
  return (await Effect.runPromise(Scope.provide(load(path, { extraPlugins: [plugin] }), scope)))
    .pipeline
}

const sequence = (more: string) => `inputs: { n: { type: integer } }
policies: { retry: { again: { max_retries: 2, delay: 100ms, backoff: exponential, on: [timeout, unavailable] } } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" }${more} }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`

const pipelines = {
  sequence: await compiled("sequence", sequence("")),
  policies: await compiled(
    "policies",
    sequence(", timeout: 30s, retry: again, budget: { tool_calls: 100 }"),
  ),
  parallel: await compiled(
    "parallel",
    `inputs: { list: { type: array, items: { type: integer } } }
stages: [{ id: all, uses: increment, for_each: { in: inputs.list, as: n, max_parallel: 10 }, with: { value: "\${{ n }}" } }]
outputs: { all: { type: array, value: "\${{ stages.all.output }}" } }
`,
  ),
  agent: await compiled(
    "agent",
    `defaults: { model: fake/any }
stages: [{ id: a, uses: agent }]
outputs: { sum: { type: integer, value: "\${{ stages.a.output.sum }}" } }
`,
  ),
}

let heard = 0
const planloom = (pipeline: (typeof pipelines)["sequence"], inputs: JsonObject) => async () => {
  const result = await Effect.runPromise(run(pipeline, inputs, { onEvent: () => void heard++ }))
  if (result.status !== "succeeded") throw new Error(result.status)
}

const list = Array.from({ length: 100 }, (_, index) => index)

const plainSequence = async () => {
  let value = 1
  for (let index = 0; index < 10; index++) value = await step(value)
  if (value !== 11) throw new Error("wrong")
}

const effectSequence = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      let value = 1
      for (let index = 0; index < 10; index++) {
        const given = value
        value = yield* Effect.promise(() => step(given))
      }
    }),
  )

const plainParallel = async () => {
  const results: Array<number> = []
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const index = next++
      results[index] = await step(list[index]!)
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
}

const effectParallel = () =>
  Effect.runPromise(
    Effect.forEach(list, (value) => Effect.promise(() => step(value)), { concurrency: 10 }),
  )

const plainAgent = async () => {
  const ask = async (text: string) => text
  await ask("")
  await Promise.all([1, 2].map(async (value) => value * 2))
  const answer = JSON.parse(await ask('{"sum":6}')) as { sum: unknown }
  if (!Number.isInteger(answer.sum)) throw new Error("wrong")
}

const effectAgent = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* Effect.succeed("")
      yield* Effect.forEach([1, 2], (value) => Effect.succeed(value * 2), { concurrency: 2 })
      const answer = JSON.parse(yield* Effect.succeed('{"sum":6}')) as { sum: unknown }
      if (!Number.isInteger(answer.sum)) throw new Error("wrong")
    }),
  )

interface Contestant {
  readonly work: string
  readonly who: "plain" | "effect" | "planloom"
  readonly once: () => Promise<unknown>
}

const sequential = "10 stages in sequence"
const limited = "the same, retry + timeout + budget"
const parallel = "100 tasks, 10 at once"
const asking = "agent: 2 model calls, 2 tools"
const contestants = (
  [
    { work: sequential, who: "plain", once: plainSequence },
    { work: sequential, who: "effect", once: effectSequence },
    { work: sequential, who: "planloom", once: planloom(pipelines.sequence, { n: 1 }) },
    { work: limited, who: "plain", once: plainSequence },
    { work: limited, who: "planloom", once: planloom(pipelines.policies, { n: 1 }) },
    { work: parallel, who: "plain", once: plainParallel },
    { work: parallel, who: "effect", once: effectParallel },
    { work: parallel, who: "planloom", once: planloom(pipelines.parallel, { list }) },
    { work: asking, who: "plain", once: plainAgent },
    { work: asking, who: "effect", once: effectAgent },
    { work: asking, who: "planloom", once: planloom(pipelines.agent, {}) },
  ] satisfies ReadonlyArray<Contestant>
).filter(({ work }) => work.startsWith(only))

const WARM_UP_MS = 1500
const CHUNK_MS = 50
/** Runs between two readings of the clock. */
const RUNS_AT_ONCE = 100

/** CPU µs per run over at least `ms` of CPU time, so that other processes only take wall time. */
const timed = async ({ once }: Contestant, ms: number): Promise<number> => {
  const before = process.cpuUsage()
  for (let runs = RUNS_AT_ONCE; ; runs += RUNS_AT_ONCE) {
    for (let index = 0; index < RUNS_AT_ONCE; index++) await once()
    const { system, user } = process.cpuUsage(before)
    if (system + user >= ms * 1000) return (system + user) / runs
  }
}

const figures = new Map<Contestant, Array<number>>(contestants.map((one) => [one, []]))
for (const one of contestants) await timed(one, WARM_UP_MS)
for (let round = 0; round < rounds; round++) {
  for (const one of contestants) figures.get(one)!.push(await timed(one, CHUNK_MS))
}

const sorted = (one: Contestant) => figures.get(one)!.toSorted((a, b) => a - b)

console.log(`CPU µs per run in ${rounds} chunks of ${CHUNK_MS} ms CPU; ratios are of minima\n`)
console.log("| work | who | minimum | median | × plain | × effect |\n|---|---|---:|---:|---:|---:|")
for (const one of contestants) {
  const own = sorted(one)
  const times = (who: Contestant["who"]) => {
    const other = contestants.find((each) => each.work === one.work && each.who === who)
    return other === undefined ? "–" : (own[0]! / sorted(other)[0]!).toFixed(1)
  }
  console.log(
    `| ${one.work} | ${one.who} | ${own[0]!.toFixed(2)} | ${own[rounds >> 1]!.toFixed(2)} | ${times("plain")} | ${times("effect")} |`,
  )
}
console.log(`\n${heard} events heard`)
await Effect.runPromise(Scope.close(scope, Exit.void))
