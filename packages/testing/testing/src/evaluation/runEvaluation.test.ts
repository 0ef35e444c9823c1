/** Evaluations written to a folder of their own, on a model that answers from its request. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { definePlugin, ModelFailed, stageKind, type Provider } from "@planloom/plugin/effect"
import { evaluationJson } from "../report/evaluationJson.ts"
import { evaluationJunit } from "../report/evaluationJunit.ts"
import { evaluationBaselineText, readEvaluationBaselines } from "./Baseline.ts"
import type { EvaluationReport } from "./EvaluationReport.ts"
import { runEvaluation, type EvaluationOptions } from "./runEvaluation.ts"

let folder: string
let asked: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planloom-eval-"))
  asked = 0
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Answers in capitals, or as the request says: `fail`, `wait`. The model `loud` adds a mark. */
const provider = (arrived?: Deferred.Deferred<void>): Provider => ({
  id: "near",
  summary: "Answers.",
  generate: ({ messages, model }) =>
    Effect.suspend(() => {
      asked++
      const text = String(messages[0]!.content)
      if (text === "fail") {
        return Effect.fail(new ModelFailed({ class: "rate_limit", model, message: "too many" }))
      }
      if (text === "die") return Effect.die(new Error("a fault of the plugin"))
      if (text === "wait") {
        return Effect.andThen(
          arrived === undefined ? Effect.void : Deferred.succeed(arrived, undefined),
          Effect.never,
        )
      }
      return Effect.succeed({
        text: model === "loud" ? `${text.toUpperCase()}!` : text.toUpperCase(),
        reasoning: "",
        toolCalls: [],
        finish: "stop" as const,
        usage: { input: 10, output: 2, cached: 0 },
      })
    }),
})

const kit = (arrived?: Deferred.Deferred<void>) =>
  definePlugin({
    id: "kit",
    summary: "for these tests",
    components: {
      providers: [provider(arrived)],
      stages: [
        stageKind<{ readonly text: string }>({
          id: "say",
          summary: "says it",
          input: {
            type: "object",
            properties: { text: { type: "string" } },
            required: ["text"],
            additionalProperties: false,
          },
          output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
          run: ({ text }, { model }) =>
            Effect.map(model.text({ messages: [{ role: "user", content: text }] }), (reply) => ({
              text: reply.text,
            })),
        }),
        stageKind<{ readonly sure: number }>({
          id: "judge",
          summary: "notes how sure it is",
          input: {
            type: "object",
            properties: { sure: { type: "number" } },
            required: ["sure"],
            additionalProperties: false,
          },
          output: { type: "object" },
          run: ({ sure }, context) =>
            Effect.as(
              context.note("confidence", { confidence: sure, threshold: 0, asks: false }),
              {},
            ),
        }),
      ],
    },
  })

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: shout
defaults: { model: near/soft }
inputs: { text: { type: string, minLength: 1 }, times: { type: integer, default: 1 } }
stages:
  - { id: say, uses: say, with: { text: "\${{ inputs.text }}" } }
outputs: { said: { type: string, value: "\${{ stages.say.output.text }}" } }
`

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const evaluate = (
  body: string,
  options: EvaluationOptions = {},
  arrived?: Deferred.Deferred<void>,
  text = workflow,
) => {
  write("shout.yaml", text)
  const file = write(
    "shout.eval.yaml",
    `apiVersion: planloom/v1\nkind: Evaluation\nworkflow: shout.yaml\n${body}`,
  )
  return runEvaluation(file, { ...options, load: { extraPlugins: [kit(arrived)] } })
}

/** Of the numbers in it, however deep. */
const paths = (value: object, at = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const path = at === "" ? key : `${at}.${key}`
    return typeof inner === "object" && inner !== null ? paths(inner, path) : [path]
  })

const rows = (...list: ReadonlyArray<object>) =>
  write("rows.jsonl", list.map((row) => `${JSON.stringify(row)}\n`).join(""))

/** Without what differs from one time to the next. */
const timeless = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => (key === "ms" || key === "calls" ? 0 : value))

const measured = `data: rows.jsonl
inputs: { text: "\${{ row.say }}" }
expect: { assert: [outputs.said == row.want] }
score: { letters: size(outputs.said), loud: outputs.said.endsWith("!") }
`

describe("an evaluation", () => {
  it.effect("runs each case for the user that its row describes", () =>
    Effect.gen(function* () {
      rows({ say: "hi", id: "ann" }, { say: "ho", id: "bob" }, { say: "hu", id: 7 })
      const body = `data: rows.jsonl
inputs: { text: "\${{ row.say }}" }
given: { user: { id: "\${{ row.id }}" } }
expect: { assert: ['outputs.said == (row.say + " " + row.id).upperAscii()'] }
`
      const forUser = workflow
        .replace(
          "inputs:",
          "user: { type: object, required: [id], properties: { id: { type: string } } }\ninputs:",
        )
        .replace('"${{ inputs.text }}"', '"${{ inputs.text }} ${{ user.id }}"')
      const report = yield* evaluate(body, {}, undefined, forUser)
      assert.deepStrictEqual(
        report.diagnostics.map(({ message, start }) => `${start.line} ${message}`),
        ['3 the user of "shout" does not fit: id must be string'],
      )
      rows({ say: "hi", id: "ann" }, { say: "ho", id: "bob" })
      const fixed = yield* evaluate(body, {}, undefined, forUser)
      assert.deepStrictEqual(fixed.diagnostics, [])
      assert.deepInclude(fixed.variants["default"]!, { cases: 2, passed: 2 })
      const none = yield* evaluate(body)
      assert.include(none.diagnostics[0]?.message, "declares no user")
    }),
  )

  it.effect("compares the confidence of a run with its expectations, and a gate reads it", () =>
    Effect.gen(function* () {
      rows({ say: "hi", want: "HI", sure: 1 }, { say: "ho", want: "HA", sure: 0.8 })
      const judging = workflow
        .replace("{ text: {", "{ sure: { type: number }, text: {")
        .replace(
          "stages:",
          'stages:\n  - { id: judge, uses: judge, with: { sure: "${{ inputs.sure }}" } }',
        )
      const report = yield* evaluate(
        `data: rows.jsonl
inputs: { text: "\${{ row.say }}", sure: "\${{ row.sure }}" }
expect: { assert: [outputs.said == row.want] }
gate: [calibration.expected_calibration_error < 0.3, calibration.brier_score < 0.4]
`,
        {},
        undefined,
        judging,
      )
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(report.variants["default"]!.calibration, {
        count: 2,
        confidence: 0.9,
        right: 0.5,
        brier_score: 0.32,
        expected_calibration_error: 0.4,
        bins: [
          { from: 0.8, to: 0.9, count: 1, confidence: 0.8, right: 0 },
          { from: 0.9, to: 1, count: 1, confidence: 1, right: 1 },
        ],
      })
      assert.deepStrictEqual(
        report.gates.map(({ holds }) => holds),
        [false, true],
      )
    }),
  )

  it.effect("counts what passes, scores what answers, and names what does not", () =>
    Effect.gen(function* () {
      rows(
        { say: "hi", want: "HI" },
        { say: "ho", want: "HU" },
        { say: "fail" },
        { say: "hey", want: "HEY" },
      )
      const report = yield* evaluate(measured)
      assert.deepStrictEqual(report.diagnostics, [])
      const { default: figures } = report.variants
      assert.deepInclude(figures!, {
        cases: 4,
        runs: 4,
        passed: 2,
        failed: 2,
        pass_rate: 0.5,
        failures: { rate_limit: 1 },
        model_calls: 4,
        input_tokens: 30,
        output_tokens: 6,
      })
      assert.deepStrictEqual(figures!.scores["letters"], {
        count: 3,
        mean: 2.333333,
        p50: 2,
        p95: 2.9,
        min: 2,
        max: 3,
      })
      assert.strictEqual(figures!.scores["loud"]!.mean, 0)
      assert.deepStrictEqual(
        report.failed.map(({ case: name, line, status }) => [name, line, status]),
        [
          ["ho", 2, "succeeded"],
          ["fail", 3, "failed"],
        ],
      )
      const [wrong] = report.failed[0]!.unmet
      assert.strictEqual(wrong!.assertion, "outputs.said == row.want")
      assert.strictEqual(wrong!.message, 'outputs.said is "HO"\nrow.want is "HU"')
    }),
  )

  it.effect("lists what runs should have found, and scores retrieval", () =>
    Effect.gen(function* () {
      rows(
        { say: "b a", relevant: ["A"] },
        { say: "a b", relevant: ["B", "C", "D"] },
        { say: "fail", relevant: ["A"] },
        { say: "c", relevant: [] },
        { say: "x", relevant: ["Y"] },
      )
      const report = yield* evaluate(
        `data: rows.jsonl
inputs: { text: "\${{ row.say }}" }
score:
  recall: outputs.said.split(" ").recall_at(row.relevant, 5)
  mrr: outputs.said.split(" ").mrr(row.relevant)
  ndcg: outputs.said.split(" ").ndcg(row.relevant, 5)
misses: row.relevant.filter(id, !(id in outputs.said.split(" ")))
gate: [missed <= 1]
`,
        { limit: 1, concurrency: 1 },
      )
      assert.deepStrictEqual(report.diagnostics, [])
      const { missed, scores } = report.variants["default"]!
      assert.strictEqual(missed, 2)
      // Neither the run that failed nor the query without a relevant id has a score.
      assert.deepInclude(scores["recall"], { count: 3, mean: 0.444444 })
      assert.deepInclude(scores["mrr"], { count: 3, mean: 0.333333 })
      assert.deepInclude(scores["ndcg"], { count: 3, max: 0.63093 })
      assert.deepStrictEqual(report.missed, [
        {
          variant: "default",
          case: "a b",
          run: 1,
          file: join(folder, "rows.jsonl"),
          line: 2,
          missed: ["C", "D"],
        },
      ])
      assert.deepStrictEqual(report.gates[0]!.message, "missed is 2")
      const [told] = JSON.parse(evaluationJson([report])).evaluations
      assert.deepStrictEqual(told.missed_runs, report.missed)
      const wrong = yield* evaluate(`${measured}misses: outputs.said\n`)
      assert.deepStrictEqual(
        wrong.diagnostics.map(({ code, message }) => `${code} ${message}`),
        ["PL1204 misses are a list of what was not found; this is no list"],
      )
    }),
  )

  it.effect("compares variants case by case, and judges gates on figures", () =>
    Effect.gen(function* () {
      rows(
        { say: "a", want: "A" },
        { say: "b", want: "B!" },
        { say: "c", want: "C!" },
        { say: "d", want: "?" },
      )
      const report = yield* evaluate(`${measured}
variants:
  soft: {}
  loud: { set: { defaults.model: near/loud } }
gate:
  - pass_rate >= 0.5
  - scores.letters.max <= 2
  - failures.timeout == 0
  - compared.loud.p < 0.05
  - variants.loud.pass_rate > variants.soft.pass_rate
`)
      assert.deepStrictEqual(
        Object.entries(report.variants).map(([name, { passed }]) => [name, passed]),
        [
          ["soft", 1],
          ["loud", 2],
        ],
      )
      const { flipped, scores, ...counts } = report.compared["loud"]!
      assert.deepStrictEqual(counts, { better: 2, worse: 1, same: 1, p: 1 })
      assert.deepStrictEqual(
        flipped.map(({ better, line }) => [line, better]),
        [
          [1, false],
          [2, true],
          [3, true],
        ],
      )
      assert.deepStrictEqual(scores["letters"], { difference: 1, higher: 4, lower: 0, p: 0.125 })
      assert.deepStrictEqual(
        report.gates.map(({ gate, holds, message, variant }) => [gate, variant, holds, message]),
        [
          ["pass_rate >= 0.5", "soft", false, "pass_rate is 0.25"],
          ["pass_rate >= 0.5", "loud", true, ""],
          ["scores.letters.max <= 2", "soft", true, ""],
          ["scores.letters.max <= 2", "loud", true, ""],
          ["failures.timeout == 0", "soft", true, ""],
          ["failures.timeout == 0", "loud", true, ""],
          ["compared.loud.p < 0.05", undefined, false, "compared.loud.p is 1"],
          ["variants.loud.pass_rate > variants.soft.pass_rate", undefined, true, ""],
        ],
      )
      const xml = evaluationJunit([report])
      assert.include(xml, 'tests="8" failures="2" errors="0"')
      assert.include(xml, '<property name="loud.pass_rate" value="0.5"/>')
      const only = yield* evaluate(
        `${measured}
variants: { soft: {}, loud: { set: { defaults.model: near/loud } } }
gate: compared.loud.p < 0.05
`,
        { variants: ["loud"] },
      )
      assert.deepInclude(only.gates[0]!, {
        holds: undefined,
        message: "compared.loud is not measured here",
      })
    }),
  )

  it.effect("lets gates read every figure that a report tells", () =>
    Effect.gen(function* () {
      rows({ say: "a", want: "A" })
      const variants = "variants: { soft: {}, loud: { set: { defaults.model: near/loud } } }\n"
      const { compared, variants: told } = yield* evaluate(`${measured}${variants}`)
      const { flipped: _, ...loud } = compared["loud"]!
      const figures = [...paths(told["loud"]!), ...paths(loud, "compared.loud")]
      assert.include(figures, "scores.letters.count")
      assert.include(figures, "compared.loud.scores.letters.difference")
      const report = yield* evaluate(
        `${measured}${variants}gate:\n${figures.map((path) => `  - ${path} == ${path}\n`).join("")}`,
      )
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepStrictEqual(
        report.gates.filter(({ holds }) => holds !== true),
        [],
      )
    }),
  )

  it.effect("runs each case as often as told, and counts alike runs once in its interval", () =>
    Effect.gen(function* () {
      rows({ say: "a", want: "A" }, { say: "b", want: "?" })
      const once = (yield* evaluate(measured)).variants["default"]!
      const often = (yield* evaluate(measured, { repeat: 5 })).variants["default"]!
      assert.deepInclude(often, { cases: 2, runs: 10, passed: 5, unsteady: 0 })
      assert.deepStrictEqual(
        [often.pass_rate_low, often.pass_rate_high],
        [once.pass_rate_low, once.pass_rate_high],
      )
    }),
  )

  it.effect("gives the same from a recording, and asks nobody", () =>
    Effect.gen(function* () {
      rows({ say: "hi", want: "HI" }, { say: "fail" }, { say: "hi", want: "?" }, { say: "жук" })
      const tape = join(folder, "tape")
      const recorded = yield* evaluate(measured, { record: tape, repeat: 2 })
      assert.deepStrictEqual(recorded.problems, [])
      const before = asked
      assert.deepStrictEqual(readdirSync(join(tape, "shout/default")).toSorted(), [
        "case_4",
        "fail",
        "hi",
        "hi.2",
      ])
      const replayed = yield* evaluate(measured, { replay: tape, repeat: 2 })
      assert.strictEqual(asked, before)
      assert.deepStrictEqual(
        timeless(evaluationJson([replayed])),
        timeless(evaluationJson([recorded])),
      )
      const some = yield* evaluate(measured, { replay: tape, filter: "жук" })
      assert.deepStrictEqual([some.skipped, some.planned, some.problems], [3, 1, []])
      rows({ say: "hi", want: "HI" }, { say: "fail" }, { say: "hi", want: "?" }, { say: "жуки" })
      const stale = yield* evaluate(measured, { replay: tape })
      assert.lengthOf(stale.problems, 1)
      assert.include(stale.problems[0]!, "rows.jsonl:4 жуки: ")
      assert.include(stale.problems[0]!, "-     content: жук\n+     content: жуки")
    }),
  )

  it.effect("keeps what has ended when it is interrupted", () =>
    Effect.gen(function* () {
      rows({ say: "a", want: "A" }, { say: "wait" }, { say: "b", want: "B" })
      const arrived = yield* Deferred.make<void>()
      const told = yield* Deferred.make<EvaluationReport>()
      const gated = `${measured}concurrency: 1\ngate: pass_rate == 1.0\n`
      const fiber = yield* Effect.forkChild(
        Effect.uninterruptible(
          Effect.flatMap(evaluate(gated, {}, arrived), (report) => Deferred.succeed(told, report)),
        ),
      )
      yield* Deferred.await(arrived)
      fiber.interruptUnsafe()
      const report = yield* Deferred.await(told)
      assert.strictEqual(report.partial, "interrupted")
      assert.deepInclude(report.variants["default"]!, { runs: 1, passed: 1 })
      assert.deepInclude(report.gates[0]!, {
        holds: undefined,
        message: "not every case has run",
      })
    }),
  )

  it.effect("keeps a baseline that gates read", () =>
    Effect.gen(function* () {
      rows({ say: "a", want: "A" }, { say: "b", want: "?" })
      const gated = `${measured}gate: [pass_rate >= baseline.pass_rate]\n`
      const first = yield* evaluate(gated)
      assert.deepInclude(first.gates[0]!, { holds: undefined, message: "there is no baseline" })
      const baselines = readEvaluationBaselines(evaluationBaselineText([first]))
      if (typeof baselines === "string") return assert.fail(baselines)
      assert.isTrue((yield* evaluate(gated, { baselines })).gates[0]!.holds)
      rows({ say: "a", want: "?" }, { say: "b", want: "?" })
      const worse = yield* evaluate(gated, { baselines })
      assert.deepInclude(worse.gates[0]!, {
        holds: false,
        message: "pass_rate is 0, baseline.pass_rate is 0.5",
      })
      const strange = yield* evaluate(gated, { baselines: {} })
      assert.include(strange.gates[0]!.message, "the baseline has no figures of default")
      // Nothing that is taken out of a baseline goes unnoticed.
      const { default: figures } = first.variants
      for (const name of Object.keys(figures!)) {
        const rest = Object.fromEntries(Object.entries(figures!).filter(([key]) => key !== name))
        const text = JSON.stringify({ shout: { default: rest } })
        assert.match(readEvaluationBaselines(text) as string, /^shout\.default has /, name)
      }
      assert.isString(readEvaluationBaselines('{ "a": { "b": 1 } }'))
    }),
  )
})

describe("rows that are no cases", () => {
  const told = (body: string, list: ReadonlyArray<object>) => {
    rows(...list)
    return Effect.map(evaluate(body), ({ diagnostics }) =>
      diagnostics.map(
        ({ code, file, message, start }) =>
          `${code} ${file.slice(folder.length + 1)}:${start.line} ${message}`,
      ),
    )
  }

  it.effect("are told with their lines, and nothing has run", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* told("data: rows.jsonl\n", [
          { text: "a", times: "two" },
          { inputs: { text: "" } },
          { inputs: [] },
          { inputs: { text: "a" }, expect: { assert: ["true"] } },
          { inputs: { text: "a" }, expect: { status: "fine" } },
          { say: "a" },
          { inputs: { text: "a" }, expect: { requirements: ["metrics:n", 1] } },
        ]),
        [
          "PL2013 rows.jsonl:1 the input times must be integer",
          "PL2013 rows.jsonl:2 the input text must not be empty",
          "PL2013 rows.jsonl:3 inputs of a row must be a mapping",
          "PL2013 rows.jsonl:4 a row cannot hold assertions: it is data, and nothing in it is evaluated",
          'PL2013 rows.jsonl:5 unknown status "fine"',
          'PL2013 rows.jsonl:6 the row lacks the key "text"',
          "PL2013 rows.jsonl:7 the requirements of a row must be a list of texts",
        ],
      )
      assert.strictEqual(asked, 0)
      assert.deepStrictEqual(yield* told("data: rows.jsonl\n", []), [
        "PL2013 rows.jsonl:1 rows.jsonl has no rows",
      ])
    }),
  )

  it.effect("are told up to the twentieth, however many there are", () =>
    Effect.gen(function* () {
      const wrong = Array.from({ length: 30 }, () => ({ say: "a" }))
      const found = yield* told("data: rows.jsonl\n", wrong)
      assert.lengthOf(found, 20)
      assert.match(found.at(-1)!, /rows\.jsonl:20 /)
    }),
  )

  it.effect("are data: what looks like an expression in them is text", () =>
    Effect.gen(function* () {
      const body = "data: rows.jsonl\nexpect: { assert: [outputs.said == row.want] }\n"
      rows({ text: "${{ 1 + 1 }}", want: "${{ 1 + 1 }}" })
      const report = yield* evaluate(body)
      assert.deepStrictEqual(report.diagnostics, [])
      assert.strictEqual(report.variants["default"]!.passed, 1)
    }),
  )
})

describe("rows that change while they are measured", () => {
  for (const [what, now] of [
    ["fewer", [{ text: "a" }]],
    ["more", [{ text: "a" }, { text: "b" }, { text: "c" }]],
    ["broken", [{ text: "a" }, { text: "" }]],
  ] as const) {
    it.effect(`are told, and no gate is judged: ${what}`, () =>
      Effect.gen(function* () {
        rows({ text: "a" }, { text: "b" })
        const report = yield* evaluate("data: rows.jsonl\ngate: pass_rate == 1.0\n", {
          onProgress: ({ done }) => {
            if (done === 0) rows(...now)
          },
        })
        assert.deepStrictEqual(report.problems, [
          `${join(folder, "rows.jsonl")} has changed while it was measured: it had 2 cases`,
        ])
        assert.isUndefined(report.gates[0]!.holds)
      }),
    )
  }
})

describe("an evaluation file", () => {
  it.effect("is held against its workflow", () =>
    Effect.gen(function* () {
      const { diagnostics } = yield* evaluate(`cases: [{ inputs: { txt: hi } }]
expect: { assert: [outputs.sad == "HI", 1 + 1] }
score: { letters: outputs.said }
gate: [passrate > 0.5, scores.words.mean > 1, pass_rate]
variants: { a: {}, b: {} }
`)
      assert.deepStrictEqual(
        diagnostics.map(({ code, message }) => `${code} ${message}`),
        [
          'PL0101 there is no input "txt"',
          'PL1201 there is no output "sad"',
          "PL1204 an assertion is true or false, this is neither",
          "PL1204 a score is a number, or true or false; this is neither",
          'PL1101 there is nothing called "passrate" here',
          'PL1201 scores has no field "words"',
          "PL1204 a gate is true or false, this is neither",
        ],
      )
      const both = yield* evaluate("cases: [{ inputs: { text: a } }]\ndata: rows.jsonl\n")
      assert.deepStrictEqual(
        both.diagnostics.map(({ code }) => code),
        ["PL0110", "PL4011"],
      )
      const variant = yield* evaluate(
        "cases: [{ inputs: { text: a } }]\nvariants: { a: { flags: { careful: true } } }\n",
      )
      assert.include(variant.diagnostics[0]!.message, 'there is no flag "careful"')
    }),
  )

  it.effect("is refused where none of the variants that are asked for is in it", () =>
    Effect.gen(function* () {
      const report = yield* evaluate(
        "cases: [{ inputs: { text: a } }]\nvariants: { careful: {} }\n",
        { variants: ["carefull"] },
      )
      assert.deepInclude(report.diagnostics[0]!, {
        code: "PL0101",
        message: 'there is no variant "carefull"',
      })
      assert.include(report.diagnostics[0]!.help, 'did you mean "careful"')
    }),
  )

  it.effect("may hold its cases, with what each is to be", () =>
    Effect.gen(function* () {
      const report = yield* evaluate(`cases:
  - { name: loud, inputs: { text: hi }, row: { want: HI }, expect: { assert: [outputs.said == row.want] } }
  - { inputs: { text: fail }, expect: { status: failed, assert: [failure.class == "rate_limit"] } }
`)
      assert.deepStrictEqual(report.diagnostics, [])
      assert.deepInclude(report.variants["default"]!, { passed: 2, failures: { rate_limit: 1 } })
    }),
  )
})

it("keeps little of thousands of rows", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const held: Array<number> = []
  rows(...Array.from({ length: 4000 }, (_, at) => ({ say: `row ${at}`, want: `ROW ${at}` })))
  const report = await Effect.runPromise(
    evaluate(measured, {
      concurrency: 16,
      onProgress: ({ done }) => {
        if (done !== 1000 && done !== 4000) return
        collect()
        held.push(process.memoryUsage().heapUsed)
      },
    }),
  )
  assert.deepInclude(report.variants["default"]!, { runs: 4000, passed: 4000 })
  // A few numbers, a name and a place for each of three thousand; a result alone has more than ten times that.
  assert.isBelow(held[1]! - held[0]!, 4e6)
})

it.effect("goes on after a plugin's own fault, which is a run that failed", () =>
  Effect.gen(function* () {
    rows({ say: "die" }, { say: "a", want: "A" })
    const { default: figures } = (yield* evaluate(measured, { concurrency: 1 })).variants
    assert.deepInclude(figures!, { runs: 2, passed: 1, failures: { internal: 1 } })
  }),
)

describe("a maximum cost", () => {
  /** Prices both models: an answer costs ten dollars and its prompt a few cents. */
  const priced = `apiVersion: planloom/v1
kind: Models
models:
  near/soft: { context: 1000, max_output: 10, price: { input: 1000, output: 5000000 } }
`
  const project = "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [prices.yaml]\n"
  const body = `data: rows.jsonl
inputs: { text: "\${{ row.say }}" }
expect: { assert: [outputs.said == row.say.upperAscii()] }
gate: [pass_rate == 1]
`
  /** Survives the refusal: the run succeeds, and what it says is wrong. */
  const surviving = workflow
    .replace("uses: say, with", "uses: say, on_error: continue, with")
    .replace(
      'value: "${{ stages.say.output.text }}"',
      "value: \"${{ has(stages.say.output) ? stages.say.output.text : '' }}\"",
    )

  const within = (maxCost: number, concurrency: number, text: string) => {
    write("prices.yaml", priced)
    write("planloom.yaml", project)
    rows(...Array.from({ length: 8 }, (_, index) => ({ say: `row ${index}` })))
    return evaluate(body, { maxCost, concurrency }, undefined, text)
  }

  for (const [what, text] of [
    ["fails", workflow],
    ["survives it", surviving],
  ] as const) {
    it.effect(`leaves out each run that it refused, where such a run ${what}`, () =>
      Effect.gen(function* () {
        for (const concurrency of [1, 3]) {
          for (const maxCost of [0.001, 5, 15, 25, 1000]) {
            const report = yield* within(maxCost, concurrency, text)
            const { failed, passed, runs } = report.variants["default"]!
            const named = `${concurrency} at once, at most $${maxCost}`
            assert.deepStrictEqual(report.problems, [], named)
            assert.strictEqual(failed, 0, named)
            assert.strictEqual(runs, passed, named)
            const isPartial = runs < 8
            assert.strictEqual(report.partial, isPartial ? "max_cost" : undefined, named)
            const holds = report.gates.map((gate) => gate.holds)
            assert.deepStrictEqual(holds, [isPartial ? undefined : true], named)
          }
        }
      }),
    )
  }

  it.effect("of models without a price is refused before the first run", () =>
    Effect.gen(function* () {
      rows({ say: "hi" })
      const report = yield* evaluate(body, { maxCost: 5 })
      assert.strictEqual(asked, 0)
      assert.match(report.problems[0]!, /the price of near\/soft is not known/)
    }),
  )
})
