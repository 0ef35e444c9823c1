/** Experiments of a workflow: hooks, stages, tools and expressions of a run see one variant, which is recorded. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emptyRecording, recordingJournal, run, type RunOptions } from "@planloom/core"
import { check, load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import { definePlugin, hook, stageKind, tool, toolSource } from "@planloom/plugin"
import type { Json, RunEvent } from "@planloom/plugin/effect"

const read = (variant: (experiment: string) => string | undefined): Json => [
  variant("tone") ?? null,
  variant("other") ?? null,
]

const plugin = definePlugin({
  id: "test",
  summary: "Shows variants.",
  components: {
    stages: [
      stageKind({
        id: "show",
        summary: "The variants that a stage, and a tool that it calls, can read.",
        input: { type: "object", properties: { said: {} } },
        output: true,
        run: async (_, { callTool, variant }) => ({
          stage: read(variant),
          tool: await callTool({ tool: "show", params: {}, key: "1" }),
        }),
      }),
      stageKind({
        id: "say",
        summary: "Says a text.",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        output: true,
        run: ({ text }) => ({ text }),
      }),
      stageKind({
        id: "nest",
        summary: "Runs another workflow.",
        input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        output: true,
        refers: ({ path }) => [{ to: "workflow", id: String(path), at: ["path"] }],
        run: ({ path }, { workflow }) => workflow(path, {}),
      }),
    ],
    tools: [
      toolSource({
        id: "tools",
        summary: "Tools.",
        tools: [
          tool({
            name: "show",
            summary: "The variants.",
            params: { type: "object" },
            run: (_, { variant }) => read(variant),
          }),
        ],
      }),
    ],
    hooks: [
      hook({
        id: "sign",
        summary: "Adds the variant.",
        point: "after_stage",
        kind: "transform",
        run: ({ output }, { variant }) => ({
          output: { ...(output as object), hook: read(variant) } as Json,
        }),
      }),
    ],
  },
})

const folderWith = (body: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-experiments-"))
  const header = "apiVersion: planloom/v1\nkind: Workflow\nname:"
  writeFileSync(join(folder, "flow.yaml"), `${header} flow\n${body}`)
  writeFileSync(
    join(folder, "inner.yaml"),
    `${header} inner\nstages: [{ id: a, uses: show }]\noutputs: { seen: { value: "\${{ stages.a.output.stage }}" } }\n`,
  )
  return join(folder, "flow.yaml")
}

const options = { extraPlugins: [hooks, plugin] }

const user = "user: { type: object, properties: { id: { type: string } } }"

const running = (body: string, given: RunOptions = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(folderWith(body), options)
      const events: Array<RunEvent> = []
      const { outputs } = yield* run(pipeline, {}, { ...given, onEvent: (one) => events.push(one) })
      return {
        outputs,
        exposed: events.flatMap((event) =>
          event.type === "VariantExposed" ? [`${event.experiment} ${event.variant}`] : [],
        ),
        assigned: events.flatMap((event) => {
          if (event.type !== "VariantAssigned") return []
          const { at: _at, seq: _seq, type: _type, ...others } = event
          return [others]
        }),
      }
    }),
  )

const body = (plain: number) => `${user}
experiments: { tone: { variants: { plain: ${plain}, warm: ${100 - plain} } } }
hooks: [{ use: sign, when: "experiments.tone == 'warm'" }]
stages: [{ id: seen, uses: show, with: { said: "\${{ experiments.tone }}" } }]
outputs: { tone: { value: "\${{ experiments.tone }}" }, seen: { value: "\${{ stages.seen.output }}" } }
`

describe("the variant of a run", () => {
  it.effect("is what expressions, hooks, stages and tools read, and an event", () =>
    Effect.gen(function* () {
      const { assigned, outputs } = yield* running(body(0), { user: { id: "ada" } })
      const seen = ["warm", null]
      assert.deepStrictEqual(outputs, {
        tone: "warm",
        seen: { stage: seen, tool: seen, hook: seen },
      })
      assert.deepStrictEqual(assigned, [
        { workflow: "flow", experiment: "tone", variant: "warm", unit: "user", reason: "hash" },
      ])
    }),
  )

  it.effect("is the same for a user in every run, whatever the run's id", () =>
    Effect.gen(function* () {
      const tones = new Set<unknown>()
      for (let number = 0; number < 8; number++) {
        const { outputs } = yield* running(body(50), { user: { id: "ada" }, run: `run_${number}` })
        tones.add(outputs?.["tone"])
      }
      assert.strictEqual(tones.size, 1)
    }),
  )

  it.effect(
    "comes from the record of a run that is resumed after the percentages have changed",
    () =>
      Effect.gen(function* () {
        const recording = emptyRecording()
        for (const plain of [0, 100]) {
          const { outputs } = yield* running(body(plain), {
            run: "one",
            user: { id: "ada" },
            journal: recordingJournal(recording),
          })
          assert.strictEqual(outputs?.["tone"], "warm")
        }
      }),
  )

  it.effect("is known to the workflows that its stages run", () =>
    Effect.gen(function* () {
      const { outputs } = yield* running(`
experiments: { tone: { unit: run, variants: { plain: 0, warm: 100 } } }
stages: [{ id: a, uses: nest, with: { path: ./inner.yaml } }]
outputs: { inner: { value: "\${{ stages.a.output }}" } }
`)
      assert.deepStrictEqual(outputs, { inner: { seen: ["warm", null] } })
    }),
  )
})

describe("the exposure of a run", () => {
  const experiments = (more = "") =>
    `${user}\nexperiments: { tone: { variants: { plain: 0, warm: 100 }${more} }, other: { variants: { a: 100, b: 0 } } }\n`
  const exposed = (flow: string, given: RunOptions = { user: { id: "ada" } }) =>
    Effect.map(running(flow, given), (one) => one.exposed)

  it.effect(
    "is recorded once for each experiment that something reads, by hooks and expressions",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* exposed(`${experiments()}stages: [{ id: one, uses: say, with: { text: hi } }]`),
          [],
        )
        const reading = `${experiments()}hooks: [{ use: sign, when: "experiments.tone == 'warm'" }]
stages: [{ id: one, uses: say, with: { text: "\${{ experiments.tone + experiments.tone }}" } }]`
        // The hook reads both experiments.
        assert.deepStrictEqual(yield* exposed(reading), ["tone warm", "other a"])
      }),
  )

  it.effect("is not recorded for a unit outside the experiment", () =>
    Effect.gen(function* () {
      const stages = `stages: [{ id: one, uses: say, with: { text: "\${{ experiments.tone }}" } }]`
      for (const more of [', ramp: "0%"', ", force: { warm: [ada] }"]) {
        assert.deepStrictEqual(yield* exposed(`${experiments(more)}${stages}`), [])
      }
      assert.deepStrictEqual(yield* exposed(`${experiments()}${stages}`, {}), [])
    }),
  )
})

const outcome = (cel: string) =>
  `experiments: { tone: { unit: run, outcome: "${cel}", variants: { a: 50, b: 50 } } }
outputs: { accepted: { type: boolean, value: true }, said: { type: string, value: x }, words: { type: integer, value: 3 } }`

describe("check", () => {
  it.effect.each([
    [`${user}\nexperiments: { tone: { variants: { a: 60, b: 50 } } }`, "5:34 EXPERIMENT01"],
    ["experiments: { tone: { variants: { a: 50, b: 50 } } }", "4:22 EXPERIMENT02"],
    ["experiments: { tone: { unit: session, variants: { a: 50, b: 50 } } }", "4:30 EXPERIMENT03"],
    [
      "experiments: { tone: { unit: run, sticky: true, variants: { a: 50, b: 50 } } }",
      "4:43 EXPERIMENT04",
    ],
    [`${user}\nexperiments: { tone: { variants: { a: 100 } } }`, "5:34 PL0106"],
    ["experiments: { tone: { unit: run, ramp: 101%, variants: { a: 50, b: 50 } } }", "4:41 PL0106"],
    [
      "experiments: { tone: { unit: run, force: { c: [x] }, variants: { a: 50, b: 50 } } }",
      "4:47 EXPERIMENT05",
    ],
    [
      "experiments: { a: { unit: run, namespace: { name: n, from: 0, to: 60 }, variants: { a: 50, b: 50 } }, b: { unit: run, namespace: { name: n, from: 50, to: 100 }, variants: { a: 50, b: 50 } } }",
      "EXPERIMENT06",
    ],
    [
      `${user}\nexperiments: { a: { unit: run, namespace: { name: n, from: 0, to: 50 }, variants: { a: 50, b: 50 } }, b: { namespace: { name: n, from: 50, to: 100 }, variants: { a: 50, b: 50 } } }`,
      "EXPERIMENT07",
    ],
    ["experiments: { tone: { unit: run, outcome: outputs., variants: { a: 50, b: 50 } } }", "4:"],
    [
      `${user}\nexperiments: { tone: { variants: { a: 50, b: 50 } } }\noutputs: { o: { value: "\${{ experiments.tnoe }}" } }`,
      "PL120",
    ],
    [outcome("outputs.acepted"), "4:53 PL1201"],
    [outcome("outputs.said"), "4:45 PL1204"],
    [outcome("stages.a.output"), "4:45 PL1101"],
    [outcome("status == 'succeded'"), "4:55 PL1205"],
  ] as const)("reports the mistake of %j", ([text, expected]) =>
    Effect.gen(function* () {
      const { diagnostics } = yield* check(
        folderWith(`${text}\nstages: [{ id: a, uses: show }]\n`),
        options,
      )
      const found = diagnostics.map(({ code, start }) => `${start.line}:${start.col} ${code}`)
      assert.isTrue(
        found.some((one) => one.includes(expected)),
        found.join(", "),
      )
    }),
  )

  it.effect("accepts an outcome of true or false and one of a number", () =>
    Effect.gen(function* () {
      for (const cel of ["outputs.words", "outputs.accepted && status == 'succeeded'"]) {
        const { diagnostics } = yield* check(
          folderWith(`${outcome(cel)}\nstages: [{ id: a, uses: show }]\n`),
          options,
        )
        assert.deepStrictEqual(diagnostics, [])
      }
    }),
  )
})
