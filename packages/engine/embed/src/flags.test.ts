import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { LoadOptions } from "@planloom/language"
import { cases } from "../../../../.config/cases.ts"
import { collect } from "../../core/test/collect.ts"
import { echo, plugin } from "../../core/test/inline.ts"
import { check, load } from "./Workflow.ts"

const header = "apiVersion: planloom/v1\n"

const workflow = (body = ""): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-flags-"))
  writeFileSync(
    join(folder, "planloom.yaml"),
    `${header}kind: Project\nenvironments: { prod: { set: { flags.careful: true, flags.least: 0.9 } } }\n`,
  )
  const path = join(folder, "flow.yaml")
  writeFileSync(
    path,
    `${header}kind: Workflow
name: flow
flags: { careful: false, least: 0.5, tone: plain }
stages:
  - { id: a, uses: echo, if: flags.careful, with: { value: "\${{ flags.tone }}" } }
${body}outputs: { least: "\${{ flags.least }}", ran: "\${{ has(stages.a.output) }}" }
`,
  )
  return path
}

/** A workflow with these flags, and a loop of so many rounds. */
const writeFlow = (flags: object, most: number | string = 1): string => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-flags-")), "flow.yaml")
  const stages = [
    {
      id: "work",
      repeat: { until: "stages.a.output == 9", max_iterations: most, on_exhausted: "continue" },
      stages: [{ id: "a", uses: "echo", with: { value: "${{ flags }}" } }],
    },
  ]
  const outputs = { rounds: "${{ stages.work.output.iterations }}" }
  const flow = { apiVersion: "planloom/v1", kind: "Workflow", name: "flow", flags, stages, outputs }
  writeFileSync(path, JSON.stringify(flow))
  return path
}

const none = { extraPlugins: [plugin({ stages: [echo] })], flag: () => undefined }

const outputs = (options: LoadOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(workflow(), { ...none, ...options })
      return (yield* collect(pipeline)).result.outputs
    }),
  )

const problems = (options: LoadOptions, body?: string) =>
  Effect.map(check(workflow(body), { ...none, ...options }), ({ diagnostics }) =>
    diagnostics.map(
      ({ code, given, message }) => `${given === undefined ? "" : `${given} `}${code} ${message}`,
    ),
  )

describe("flags", () => {
  it.effect("are overridden by environment, variables and caller, in this order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outputs({}), { least: 0.5, ran: false })
      const prod: LoadOptions = { environment: "prod" }
      assert.deepStrictEqual(yield* outputs(prod), { least: 0.9, ran: true })
      const flag = (name: string) => ({ careful: "false", least: "0.8" })[name]
      assert.deepStrictEqual(yield* outputs({ ...prod, flag }), { least: 0.8, ran: false })
      const flags = { careful: "true" }
      assert.deepStrictEqual(yield* outputs({ ...prod, flag, flags }), { least: 0.8, ran: true })
      const set = [{ path: "flags.least", value: 0.1 }]
      assert.deepStrictEqual(yield* outputs({ flag, flags, set }), { least: 0.1, ran: true })
    }),
  )

  it.effect("are read from the process's variables unless the host passes others", () =>
    Effect.gen(function* () {
      process.env["PLANLOOM_FLAG_CAREFUL"] = "true"
      const { flag: _, ...own } = none
      const ran = yield* Effect.scoped(
        Effect.flatMap(load(workflow(), own), ({ pipeline }) => collect(pipeline)),
      ).pipe(Effect.ensuring(Effect.sync(() => delete process.env["PLANLOOM_FLAG_CAREFUL"])))
      assert.strictEqual(ran.result.outputs["ran"], true)
    }),
  )

  it.effect("that are undeclared or of another type are refused", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems({ flags: { carefull: true } }), [
        '--flag carefull PL4015 there is no flag "carefull"; there are: careful, least, tone',
      ])
      assert.deepStrictEqual(yield* problems({ flags: { careful: "yes" } }), [
        '--flag careful PL4015 the flag "careful" is true or false, not "yes"',
      ])
      assert.deepStrictEqual(
        yield* problems({ flag: (name) => (name === "least" ? "" : undefined) }),
        ['PLANLOOM_FLAG_LEAST PL4015 the flag "least" is a number, not ""'],
      )
    }),
  )

  it.effect("are typed in expressions", () =>
    Effect.gen(function* () {
      const stage = (condition: string) =>
        `  - { id: b, uses: echo, if: ${condition}, with: { value: 1 } }\n`
      const [unknown] = yield* problems({}, stage("flags.carefull"))
      assert.match(unknown ?? "", /^PL1201 .*carefull/)
      const [wrong] = yield* problems({}, stage("flags.tone"))
      assert.match(wrong ?? "", /^PL1204 /)
    }),
  )

  it.effect("in their long form are held to their bounds, wherever a value comes from", () =>
    Effect.gen(function* () {
      const bounds = { minimum: 1, maximum: 5 }
      const long = (more: object) => writeFlow({ n: { default: 2, ...bounds, ...more } })
      const values = fc.oneof(fc.integer({ min: -2, max: 8 }), fc.constantFrom("x", "", true, 2.5))
      const ways = fc.constantFrom("caller", "variable", "setting", "own variable")
      yield* Effect.forEach(
        fc.sample(fc.tuple(values, ways, fc.boolean()), { numRuns: cases(60), seed: 32 }),
        ([value, way, isListed]) =>
          Effect.gen(function* () {
            const path = long({
              ...(isListed ? { enum: [2, 3, 5] } : {}),
              env: "PLANLOOM_TEST_ROUNDS",
            })
            const given = String(value)
            if (way === "own variable") process.env["PLANLOOM_TEST_ROUNDS"] = given
            const { flag: _, ...own } = none
            const options: LoadOptions =
              way === "caller"
                ? { ...none, flags: { n: value } }
                : way === "variable"
                  ? { ...none, flag: () => given }
                  : way === "setting"
                    ? { ...none, set: [{ path: "flags.n", value }] }
                    : own
            const { diagnostics, workflow: loaded } = yield* Effect.scoped(check(path, options))
            delete process.env["PLANLOOM_TEST_ROUNDS"]
            const number = way === "setting" && typeof value !== "number" ? NaN : Number(given)
            const fits =
              given !== "" &&
              number >= 1 &&
              number <= 5 &&
              (!isListed || [2, 3, 5].includes(number))
            assert.strictEqual(diagnostics.length === 0, fits, `${given} by ${way}`)
            if (fits) assert.strictEqual(loaded?.definition.flags["n"]?.value, number)
            if (way === "own variable" && !fits && given.length > 1) {
              assert.notInclude(JSON.stringify(diagnostics), JSON.stringify(given))
            }
          }),
      )
    }),
  )

  it.effect("of text read a variable only among listed values, and no message shows it", () =>
    Effect.gen(function* () {
      const codes = (flags: object) =>
        Effect.map(check(writeFlow(flags), none), ({ diagnostics }) =>
          diagnostics.map(({ code, message }) => `${code} ${message}`),
        )
      assert.deepStrictEqual(yield* codes({ n: { default: "a", env: "HOME" } }), [
        "PL0110 text from a variable needs `enum`: it could be a secret",
      ])
      process.env["PLANLOOM_TEST_TONE"] = "sk-secret"
      const { flag: _, ...own } = none
      const { diagnostics } = yield* check(
        writeFlow({ n: { default: "a", enum: ["a", "b"], env: "PLANLOOM_TEST_TONE" } }),
        own,
      )
      delete process.env["PLANLOOM_TEST_TONE"]
      assert.strictEqual(
        diagnostics[0]?.message,
        'the flag "n" must be one of "a", "b", which its value is not',
      )
    }),
  )

  it.effect("bound the iterations of a loop, which an expression over them may give", () =>
    Effect.gen(function* () {
      const loop = (most: string, flags: object, options: LoadOptions = {}) =>
        Effect.scoped(
          Effect.gen(function* () {
            const path = writeFlow(flags, most)
            const { diagnostics } = yield* check(path, { ...none, ...options })
            if (diagnostics.length > 0) return diagnostics.map(({ message }) => message)
            const { pipeline } = yield* load(path, { ...none, ...options })
            return (yield* collect(pipeline)).result.outputs["rounds"]
          }),
        )
      const n = { default: 2, minimum: 1, maximum: 5 }
      assert.strictEqual(yield* loop("flags.n", { n }), 2)
      assert.strictEqual(yield* loop("flags.n", { n }, { flags: { n: 4 } }), 4)
      const wide = { flags: { n: 40 } }
      assert.strictEqual(
        yield* loop("min([flags.n, 3])", { n: { default: 9, minimum: 1 } }, wide),
        3,
      )
      const deep = { n, deep: false }
      assert.strictEqual(yield* loop("flags.deep ? flags.n : 1", deep), 1)
      assert.strictEqual(
        yield* loop("flags.deep ? flags.n : 1", deep, { flags: { deep: true } }),
        2,
      )
      assert.deepStrictEqual(yield* loop("flags.n", { n: 2 }), [
        "the number of iterations has no bound",
      ])
      assert.deepStrictEqual(yield* loop("flags.n", { n: { ...n, minimum: 0 } }), [
        "the number of iterations may be 0",
      ])
      assert.deepStrictEqual(yield* loop("flags.n", { n: { ...n, maximum: 2000 } }), [
        "the number of iterations may be 2000",
      ])
      assert.deepStrictEqual(yield* loop("size(run.id)", { n }), [
        "the number of iterations depends on run.id, which is not known before a run",
      ])
      assert.include(
        yield* loop("flags.n == 2", { n }),
        "expected a whole number, this is true or false",
      )
    }),
  )
})
