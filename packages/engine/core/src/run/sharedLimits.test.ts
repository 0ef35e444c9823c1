/** Limits of a host that are kept elsewhere, as several processes would share them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Semaphore } from "effect"
import * as TestClock from "effect/testing/TestClock"
import {
  ModelFailed,
  stageKind,
  ToolFailed,
  type BudgetLedger,
  type ConcurrencyLimiter,
  type Json,
  type Provider,
  type RateLimiter,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "./journal/journals.ts"

const provider: Provider = {
  id: "vendor",
  summary: "A model.",
  generate: () =>
    Effect.succeed({
      text: "x",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 7, output: 3 },
    }),
}

const source: ToolSource = {
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [
      { name: "look", summary: "Looks.", capabilities: [], inputs: {}, params: true, outputs: [] },
    ],
  }),
  call: () => Effect.succeed({ value: "seen" }),
}

const work = stageKind<{ readonly tool?: boolean }>({
  id: "work",
  summary: "Asks a model, and calls a tool if asked to.",
  input: { type: "object", additionalProperties: true },
  output: true,
  model: ({ tool }, { callTool, model }) =>
    Effect.andThen(
      tool === true
        ? callTool({ tool: "look", params: {}, key: "look" })
        : Effect.succeed<Json>(null),
      Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
    ),
})

const components = { stages: [work], providers: [provider], tools: [source] }

/** A round trip to a service that keeps the state. */
const away = <A>(result: () => A): Effect.Effect<A> =>
  Effect.andThen(Effect.sleep(5), Effect.sync(result))

/** Lets time pass until the work ends. */
const ended = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(5)
    return yield* Effect.flatten(Effect.sync(() => fiber.pollUnsafe()!))
  })

/** Books every call once, however often a resume repeats it. */
class RemoteLedger implements BudgetLedger {
  readonly measures = true
  readonly booked = new Map<string, number>()
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get tokens(): number {
    return [...this.booked.values()].reduce((sum, tokens) => sum + tokens, 0)
  }

  readonly modelCall: BudgetLedger["modelCall"] = ({ id, model, most }, call) => {
    assert.isAbove(most!.tokens, 0)
    return Effect.flatMap(
      away(() => this.booked.has(id) || this.tokens < this.limit),
      (isAdmitted) =>
        isAdmitted
          ? call({
              book: ({ usage }) => void this.booked.set(id, usage.input + usage.output),
              again: () => Effect.void,
            })
          : Effect.fail(new ModelFailed({ class: "budget", model, message: "spent elsewhere" })),
    )
  }

  readonly toolCall: BudgetLedger["toolCall"] = ({ id, tool }) =>
    Effect.flatMap(
      away(() => this.tokens < this.limit),
      (isAdmitted) =>
        isAdmitted
          ? Effect.sync(() => void this.booked.set(id, 0))
          : Effect.fail(new ToolFailed({ class: "budget", tool, message: "spent elsewhere" })),
    )

  readonly spentBefore = () => assert.fail("a ledger that outlives the process has it booked")
}

describe("a budget that a host keeps elsewhere", () => {
  const body = `
models: { m: { try: [vendor/any], max_tokens: 100 } }
stages: [{ id: a, uses: work, model: m, with: { tool: true } }]
outputs: { said: "\${{ stages.a.output }}" }
`

  it.effect("counts the calls of all runs and refuses further ones", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      const budget = new RemoteLedger(15)
      const runs = yield* Effect.forEach(["1", "2", "3"], (run) =>
        ended(collect(pipeline, {}, { budget, run })),
      )
      assert.deepStrictEqual(
        runs.map(({ result }) => result.failure?.message ?? result.status),
        ["succeeded", "succeeded", "spent elsewhere"],
      )
      assert.deepStrictEqual(
        [...budget.booked],
        [
          ["1/a/model:1/tool:look", 0],
          ["1/a/model:1/model:1:vendor:any", 10],
          ["2/a/model:1/tool:look", 0],
          ["2/a/model:1/model:1:vendor:any", 10],
        ],
      )
    }),
  )

  it.effect("recognizes calls that a resume answers from the record", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, components)
      const budget = new RemoteLedger(15)
      const recording = emptyRecording()
      const options = { budget, run: "1", journal: recordingJournal(recording) }
      yield* ended(collect(pipeline, {}, options))
      // As after a crash before the end of the stage was recorded.
      recording.steps.delete("a/model:1")
      recording.steps.delete("a")
      yield* ended(collect(pipeline, {}, options))
      assert.strictEqual(budget.tokens, 10)
    }),
  )

  it.effect("that refuses a call leaves the budget of the workflow as it was", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        body
          .replace("stages:", "policies: { budget: { model_calls: 1 } }\nstages:")
          .replace("with: { tool: true }", "retry: { max_retries: 1, delay: 1s, on: [budget] }"),
        components,
      )
      const budget = new RemoteLedger(15)
      budget.booked.set("another process", 20)
      const run = yield* Effect.forkChild(collect(pipeline, {}, { budget }))
      yield* TestClock.adjust(500)
      budget.booked.clear()
      yield* TestClock.adjust(2000)
      const exit = run.pollUnsafe()
      assert.strictEqual(exit?._tag, "Success")
      if (exit?._tag === "Success") assert.strictEqual(exit.value.result.status, "succeeded")
    }),
  )
})

it.effect("concurrency groups can be kept elsewhere", () =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `
concurrency: { group: letters, limit: 1, on_limit: queue }
stages: [{ id: a, uses: work, model: vendor/any }]
outputs: {}
`,
      components,
    )
    const slots = Semaphore.makeUnsafe(1)
    const groups: Array<string> = []
    const concurrencyLimiter: ConcurrencyLimiter = {
      within: ({ group, limit }, member) =>
        slots.withPermits(1)(
          Effect.andThen(
            away(() => groups.push(`${group} ${limit}`)),
            member,
          ),
        ),
    }
    const both = Effect.forEach([1, 2], () => collect(pipeline, {}, { concurrencyLimiter }), {
      concurrency: 2,
    })
    const runs = yield* ended(both)
    assert.deepStrictEqual(
      runs.map(({ result }) => result.status),
      ["succeeded", "succeeded"],
    )
    assert.deepStrictEqual(groups, ["letters 1", "letters 1"])
  }),
)

it.effect("rates can be kept elsewhere", () =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `
policies: { rate: { vendor: { requests_per_minute: 60 } } }
stages: [{ id: a, uses: work, model: vendor/any }]
outputs: {}
`,
      components,
    )
    const used: Array<unknown> = []
    const rateLimiter: RateLimiter = {
      within: ({ model, rates }, taken, call) =>
        Effect.andThen(
          away(() => undefined),
          Effect.tap(call, (reply) =>
            away(() =>
              used.push(
                model,
                rates.map(({ requests }) => requests),
                taken(reply),
              ),
            ),
          ),
        ),
    }
    const { result } = yield* ended(collect(pipeline, {}, { rateLimiter }))
    assert.strictEqual(result.status, "succeeded")
    assert.deepStrictEqual(used, ["vendor/any", [60], 10])
  }),
)
