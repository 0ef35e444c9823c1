/** Approvals show what a call will do: no call is made that the last question did not show. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import {
  hook,
  stageKind,
  ToolFailed,
  type Json,
  type JsonObject,
  type RunStore,
  type ShownField,
  type Tool,
  type ToolInvocation,
  type ToolSource,
  type Wait,
} from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { collect } from "../../test/collect.ts"
import { hookedWorkflow } from "../../test/hooked.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal, type Recording } from "../run/journal/journals.ts"
import type { RunOptions } from "../run/RunOptions.ts"

/** What may change at any time, and what was done. */
interface Bank {
  fee: number
  closed: boolean
  /** Added to each amount by the stage, which no record holds. */
  drift: number
  /** Added to each amount by a hook. */
  edit: number
  quoted: boolean
  readonly paid: Array<JsonObject>
}

const bankOf = (more: Partial<Bank> = {}): Bank => ({
  fee: 1,
  closed: false,
  drift: 0,
  edit: 0,
  quoted: false,
  paid: [],
  ...more,
})

const pay: Tool = {
  name: "pay",
  title: { en: "Pay", es: "Pagar" },
  summary: "Pays an amount.",
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "write",
  needs_approval: true,
  params: {
    type: "object",
    required: ["to", "amount"],
    additionalProperties: false,
    properties: { to: { type: "string", title: "Payee" }, amount: { type: "integer" } },
  },
  approval_fields: {
    type: "object",
    required: ["to", "total"],
    additionalProperties: false,
    properties: { to: { type: "string" }, total: { type: "integer", title: "Total" } },
  },
  approval: { total: { en: "in all", es: "en total" } },
  requires: [
    {
      that: `!calls.exists(c, c.tool == "quote" && c.ok)`,
      message: { en: "Show the price first.", es: "Muestra antes el precio." },
    },
    { that: "params.amount <= 100", message: "At most 100." },
  ],
}

const quote: Tool = {
  name: "quote",
  summary: "Gives the price.",
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: true,
}

const totalOf = (bank: Bank, { params }: Pick<ToolInvocation, "params">) => ({
  to: params["to"]!,
  total: Number(params["amount"]) + bank.fee,
})

const closed = new ToolFailed({ tool: "pay", class: "tool_error", message: "The bank is closed." })

const sourceOf = (
  bank: () => Bank,
  {
    preview = (given) =>
      bank().closed ? Effect.fail(closed) : Effect.succeed(totalOf(bank(), given)),
    tool = {},
  }: {
    readonly tool?: Partial<Tool>
    readonly preview?: NonNullable<ToolSource["preview"]> | undefined
  } = {},
): ToolSource => ({
  id: "bank",
  summary: "A bank.",
  list: Effect.succeed({ tools: [{ ...pay, ...tool }, quote] }),
  preview,
  call: (invocation) =>
    Effect.sync(() => {
      const { closed: isClosed, fee, paid, quoted } = bank()
      if (invocation.tool === "quote") {
        bank().quoted = true
        return { value: fee }
      }
      const { key } = invocation
      paid.push({ key, done: totalOf(bank(), invocation), isRight: !isClosed && !quoted })
      return { value: "paid" }
    }),
})

interface Step extends JsonObject {
  readonly tool: string
  readonly to: string
  readonly amount: number
}

/** Makes calls one after the other or at once, and gives what became of each. */
const script = (bank: () => Bank) =>
  stageKind<{ readonly steps: ReadonlyArray<Step>; readonly atOnce: boolean }>({
    id: "script",
    summary: "Calls tools.",
    input: {
      type: "object",
      properties: { steps: { type: "array" }, atOnce: { type: "boolean" } },
    },
    output: true,
    run: ({ atOnce, steps }, { callTool }) =>
      Effect.forEach(
        steps,
        ({ amount, to, tool }, at) =>
          callTool({ tool, params: { to, amount: amount + bank().drift }, key: String(at) }).pipe(
            Effect.catchTag("ToolFailed", ({ class: reason, message }) =>
              Effect.succeed<Json>(`${reason}: ${message}`),
            ),
          ),
        { concurrency: atOnce ? "unbounded" : 1 },
      ),
  })

const body = `
inputs: { steps: { type: array }, at_once: { type: boolean, default: false } }
stages: [{ id: work, uses: script, with: { steps: "\${{ inputs.steps }}", atOnce: "\${{ inputs.at_once }}" } }]
outputs: { made: "\${{ stages.work.output }}" }`

const loaded = (bank: () => Bank, more?: Parameters<typeof sourceOf>[1]) =>
  Effect.map(
    workflowOf(body, { stages: [script(bank)], tools: [sourceOf(bank, more)] }),
    ({ pipeline }) => pipeline,
  )

const paying = { steps: [{ tool: "pay", to: "Rosa", amount: 10 }] }

const yes = { approved: true }

/** Runs once with a person who answers after `before`, and gives the questions. */
const once = Effect.fnUntraced(function* (
  bank: Bank,
  {
    before = () => {},
    more,
    options = {},
    steps = paying.steps,
  }: {
    readonly before?: (asked: number) => void
    readonly more?: Parameters<typeof sourceOf>[1]
    readonly options?: RunOptions
    readonly steps?: ReadonlyArray<Step>
  } = {},
) {
  const asked: Array<Wait> = []
  const pipeline = yield* loaded(() => bank, more)
  const { events, result } = yield* collect(
    pipeline,
    { steps },
    {
      answer: (wait) =>
        Effect.sync(() => {
          asked.push(wait)
          before(asked.length)
          return yes
        }),
      ...options,
    },
  )
  const [made] = result.outputs["made"] as ReadonlyArray<Json>
  return { asked, events, made, result }
})

const valuesOf = (fields: ReadonlyArray<ShownField> = []): JsonObject =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

describe("an approval", () => {
  it.effect("shows the fields that the tool computes, labelled and in the declared order", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, made } = yield* once(bank, {
        options: {},
      })
      assert.deepStrictEqual(asked[0]!.fields, [
        { name: "total", label: "in all", value: 11 },
        { name: "to", label: "to", value: "Rosa" },
      ])
      assert.match(asked[0]!.name, /^work\/tool:0\/approval:1:[0-9a-f]{12}$/)
      assert.match(asked[0]!.digest!, /^[0-9a-f]{64}$/)
      assert.deepStrictEqual(asked[0]!.show, { tool: "pay" })
      assert.strictEqual(made, "paid")
      assert.deepStrictEqual(
        bank.paid.map(({ done }) => done),
        [{ to: "Rosa", total: 11 }],
      )
    }),
  )

  it.effect("is asked again if the call would now do something else, and shows that", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, made } = yield* once(bank, {
        before: (count) => {
          if (count === 1) bank.fee = 5
        },
      })
      assert.deepStrictEqual(
        asked.map(({ fields }) => valuesOf(fields)["total"]),
        [11, 15],
      )
      assert.strictEqual(made, "paid")
      assert.deepStrictEqual(bank.paid[0]!["done"], { to: "Rosa", total: 15 })
    }),
  )

  it.effect("is given up if the call changes after each of three answers", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, made } = yield* once(bank, { before: () => void bank.fee++ })
      assert.lengthOf(asked, 3)
      assert.match(String(made), /^cancelled: "pay" was not called: what it would do changed/)
      assert.deepStrictEqual(bank.paid, [])
    }),
  )

  it.effect("is not asked for a call that the tool refuses, before or after the answer", () =>
    Effect.gen(function* () {
      const shut = bankOf({ closed: true })
      const refused = yield* once(shut)
      assert.deepStrictEqual(refused.asked, [])
      assert.strictEqual(refused.made, "tool_error: The bank is closed.")
      const shutting = bankOf()
      const late = yield* once(shutting, { before: () => void (shutting.closed = true) })
      assert.lengthOf(late.asked, 1)
      assert.strictEqual(late.made, "tool_error: The bank is closed.")
      assert.deepStrictEqual([...shut.paid, ...shutting.paid], [])
    }),
  )

  it.effect.each([
    [
      "whose fields do not fit their schema",
      () => Effect.succeed({ to: "Rosa", total: "11" }),
      /^invalid_output: the preview of "pay" does not fit: total must be integer/,
    ],
    [
      "whose preview throws",
      () => {
        throw new Error("no rate")
      },
      /^internal: the preview of "pay" broke: no rate/,
    ],
    [
      "whose preview is no object",
      () => Effect.succeed([11] as never),
      /^invalid_output: .* must be object/,
    ],
  ] as const)("is not asked of a tool %s", ([, preview, expected]) =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, made } = yield* once(bank, { more: { preview } })
      assert.deepStrictEqual(asked, [])
      assert.match(String(made), expected)
      assert.deepStrictEqual(bank.paid, [])
    }),
  )

  it.effect("of a tool without fields of its own shows all params, each up to a length", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const params = { type: "object", properties: pay.params["properties" as never] }
      const { asked } = yield* once(bank, {
        more: {
          tool: {
            params,
            requires: [],
            approval: { amount: "sum" },
            approval_fields: undefined,
          } as never,
        },
        steps: [{ tool: "pay", to: "R".repeat(3000), amount: 10 }],
      })
      assert.deepStrictEqual(asked[0]!.fields, [
        { name: "amount", label: "sum", value: 10 },
        { name: "to", label: "Payee", value: `${"R".repeat(2000)}… (1000 more characters)` },
      ])
    }),
  )
})

describe("a condition of a tool", () => {
  const twoSteps = [{ tool: "quote", to: "", amount: 0 }, ...paying.steps]

  it.effect("that does not hold refuses the call before a person is asked", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, events, result } = yield* once(bank, { steps: twoSteps })
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(result.outputs["made"], [1, "invalid_request: Show the price first."])
      const failures = events.flatMap((event) =>
        event.type === "ToolCalled" && event.failure !== undefined ? [event.failure] : [],
      )
      assert.deepStrictEqual(failures, [
        {
          class: "invalid_request",
          message: "Show the price first.",
          detail: { requires: pay.requires![0]!.that },
        },
      ])
    }),
  )

  it.effect("has its message in the language of the user", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const pipeline = yield* Effect.map(
        workflowOf(`user: { type: object, properties: { language: { type: string } } }${body}`, {
          stages: [script(() => bank)],
          tools: [sourceOf(() => bank)],
        }),
        (made) => made.pipeline,
      )
      const { result } = yield* collect(pipeline, { steps: twoSteps }, { user: { language: "es" } })
      assert.deepStrictEqual(result.outputs["made"], [
        1,
        "invalid_request: Muestra antes el precio.",
      ])
    }),
  )

  it.effect("that cannot be evaluated, or is no boolean, refuses the call", () =>
    Effect.gen(function* () {
      for (const that of ["params.missing > 1", "params.amount", "1 / (params.amount - 10) == 0"]) {
        const bank = bankOf()
        const { asked, made } = yield* once(bank, {
          more: { tool: { params: true, requires: [{ that, message: "No." }] } },
        })
        assert.deepStrictEqual(asked, [], that)
        assert.strictEqual(made, "invalid_request: No.", that)
        assert.deepStrictEqual(bank.paid, [], that)
      }
    }),
  )

  it.effect("reads the session, which is empty in a run that is no turn of one", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const that = `session.id == "" && session.entities == [] && session.turns.size() == 0`
      const { made } = yield* once(bank, {
        more: { tool: { requires: [{ that, message: "No." }] } },
      })
      assert.strictEqual(made, "paid")
    }),
  )

  it.effect("holds for tools that need no approval, too", () =>
    Effect.gen(function* () {
      const bank = bankOf()
      const { asked, made } = yield* once(bank, {
        more: { tool: { needs_approval: false } },
        steps: [{ tool: "pay", to: "Rosa", amount: 200 }],
      })
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(made, "invalid_request: At most 100.")
      assert.deepStrictEqual(bank.paid, [])
    }),
  )
})

/** What happens while questions are open. */
type Turn =
  | { readonly does: "fee" | "drift" | "edit"; readonly to: number }
  | { readonly does: "toggle" }
  | { readonly does: "resume" }
  /** Answers a question, counted from the last one: also one that another has replaced. */
  | { readonly does: "answer"; readonly yes: boolean; readonly at: number }

const turn: fc.Arbitrary<Turn> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom("fee" as const, "fee" as const, "drift" as const, "edit" as const),
      to: fc.nat(1),
    }),
  },
  fc.constant({ does: "toggle" as const }),
  fc.constant({ does: "resume" as const }),
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("answer" as const),
      yes: fc.nat(5).map((n) => n > 0),
      at: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(5)),
    }),
  },
)

const step: fc.Arbitrary<Step> = fc.record({
  tool: fc.oneof({ weight: 5, arbitrary: fc.constant("pay") }, fc.constant("quote")),
  to: fc.constantFrom("Rosa", "Mateo"),
  amount: fc.constantFrom(10, 20, 99, 100, 101),
})

/** A store of one run, whose record is in memory. */
const storeOf = (recording: Recording): RunStore => {
  let epoch = 0
  const store: Partial<RunStore> = {
    id: "memory",
    summary: "Holds one run.",
    show: () => Effect.undefined,
    open: () =>
      Effect.sync(() => ({
        journal: recordingJournal(recording),
        epoch: ++epoch,
        events: [...recording.events],
        onCancel: () => {},
        close: Effect.succeed("closed" as const),
      })),
  }
  return store as RunStore
}

/** The call that a question is about, as the tool's key names it. */
const callOf = (wait: Wait): string => `r/${wait.name.slice(0, wait.name.indexOf("/approval:"))}`

describe("a call that needs an approval", () => {
  it.effect("does only what the last question showed, and only while its conditions hold", () =>
    Effect.gen(function* () {
      let bank = bankOf()
      const edit = hook<"before_tool">({
        id: "edit",
        summary: "Changes the amount.",
        point: "before_tool",
        kind: "transform",
        run: ({ params }) =>
          typeof params["amount"] === "number"
            ? { params: { ...params, amount: params["amount"] + bank.edit } }
            : {},
      })
      const { pipeline } = yield* hookedWorkflow(`hooks: [{ use: edit }]${body}`, [edit], {
        stages: [script(() => bank)],
        tools: [sourceOf(() => bank)],
      })
      const seen = { writes: 0, again: 0 }
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.array(turn, { minLength: 4, maxLength: 25 }),
        async (steps, atOnce, turns) => {
          bank = bankOf()
          const recording = emptyRecording()
          const options = { store: storeOf(recording), run: "r" }
          const shown: Array<Wait> = []
          const go = async () => {
            const before = bank.paid.length
            const { result } = await Effect.runPromise(
              collect(pipeline, { steps, at_once: atOnce }, options),
            )
            for (const { done, isRight, key } of bank.paid.slice(before)) {
              seen.writes++
              assert.isTrue(isRight, "the conditions hold")
              const last = shown.findLast((wait) => callOf(wait) === key)
              assert.deepStrictEqual(done, valuesOf(last?.fields))
              assert.deepStrictEqual(recording.answers.get(last!.name)?.value, yes)
            }
            const keys = bank.paid.map(({ key }) => key)
            assert.lengthOf(new Set(keys), keys.length, "each call is made once")
            for (const wait of result.waits) {
              if (shown.some(({ name }) => name === wait.name)) continue
              if (!wait.name.includes("/approval:1:")) seen.again++
              shown.push(wait)
            }
            return result.status
          }
          let status = await go()
          for (const one of turns) {
            if (status !== "suspended") break
            if (one.does === "toggle") bank.closed = !bank.closed
            else if (one.does === "resume") status = await go()
            else if (one.does === "answer") {
              const { name } = shown.at(-1 - (one.at % shown.length))!
              // As a store does: the first answer counts.
              if (!recording.answers.has(name)) {
                const value = { approved: one.yes }
                recording.answers.set(name, { value, by: "person", at: 0 })
              }
              status = await go()
            } else bank[one.does] = one.to
          }
        },
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: cases(150) }))
      // The cases do what they are for.
      assert.isAbove(seen.writes, 30)
      assert.isAbove(seen.again, 10)
    }),
  )
})
