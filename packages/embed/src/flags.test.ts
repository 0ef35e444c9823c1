import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LoadOptions } from "@planloom/language"
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
})
