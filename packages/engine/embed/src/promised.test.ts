/** Stage kinds that a plugin promises in `provides` and gives in `setup`. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { run } from "@planloom/core"
import { artefactOf, checkWorkflow, type LoadOptions } from "@planloom/language"
import { definePlugin, stageKind, type Tool } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

const repeat = stageKind<{ readonly word: string }>({
  id: "repeat",
  summary: "Says a word twice.",
  input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ word }) => Effect.succeed({ text: `${word} ${word}` }),
})

const plugin = {
  id: "late",
  summary: "Gives its stage kinds when it is set up.",
  provides: { stages: ["repeat"] },
  setup: () => Effect.succeed({ stages: [repeat] }),
}

const options: LoadOptions = { plugins: { late: async () => definePlugin(plugin) } }

const workflow = (given: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    file,
    `apiVersion: planloom/v1
kind: Workflow
name: late
use: { plugins: [late] }
stages: [{ id: say, uses: repeat, with: ${given} }]
outputs: { said: "\${{ stages.say.output.text }}" }
`,
  )
  return file
}

describe("a stage kind that a plugin gives in its set-up", () => {
  it.effect("has inputs and outputs of any type until then", () =>
    Effect.gen(function* () {
      for (const given of ["{ word: hey }", "{ wrod: 3 }", "{}"]) {
        const { diagnostics, workflow: checked } = yield* check(workflow(given), options)
        assert.deepStrictEqual(diagnostics, [])
        assert.isDefined(checked)
      }
    }),
  )

  it.effect("is checked by its schemas when the workflow is loaded, and runs", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(Effect.scoped(load(workflow("{}"), options)))
      assert.include(refused.message, 'the stage kind "repeat" needs "word"')
      const { outputs } = yield* Effect.scoped(
        Effect.flatMap(load(workflow("{ word: hey }"), options), ({ pipeline }) =>
          run(pipeline, {}),
        ),
      )
      assert.deepStrictEqual(outputs, { said: "hey hey" })
    }),
  )

  it.effect("says that it has not been set up when a workflow that is only checked runs", () =>
    Effect.gen(function* () {
      const { workflow: checked } = yield* check(workflow("{ word: hey }"), options)
      const failed = yield* Effect.flip(run(checked!.pipeline, {}))
      assert.include(failed.message, '"repeat" has not been set up')
    }),
  )

  it.effect("runs from an artefact, which is built without the set-up", () =>
    Effect.gen(function* () {
      const { outputs } = yield* fromArtefact("{ word: hey }")
      assert.deepStrictEqual(outputs, { said: "hey hey" })
    }),
  )

  it.effect("fails its stage from an artefact where the input does not fit its schema", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(fromArtefact("{ word: 3 }"))
      assert.include((failed as Error).message, "word must be string")
    }),
  )
})

describe("a component that a plugin promises and does not have", () => {
  const promising: LoadOptions = {
    plugins: {
      late: async () =>
        definePlugin({ ...plugin, provides: { stages: ["repeat"], providers: ["fast"] } }),
    },
  }
  const message = 'the plugin "late" does not have what it promises: providers "fast"'

  it.effect("is an error when the workflow is loaded, at the plugin", () =>
    Effect.gen(function* () {
      const path = workflow("{ word: hey }")
      assert.deepStrictEqual((yield* check(path, promising)).diagnostics, [])
      const refused = yield* Effect.flip(Effect.scoped(load(path, promising)))
      assert.deepStrictEqual(
        refused.diagnostics.map(({ code, start, ...found }) => [
          `${start.line}:${start.col} ${code} ${found.message}`,
        ]),
        [[`4:18 PL4001 ${message}`]],
      )
    }),
  )

  it.effect("rejects the artefact", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(fromArtefact("{ word: hey }", promising))
      assert.include((refused as Error).message, message)
    }),
  )

  it.effect("is an error of check where the plugin has no set-up", () =>
    Effect.gen(function* () {
      const { setup: _, ...rest } = plugin
      const { diagnostics } = yield* check(workflow("{ word: hey }"), {
        plugins: { late: async () => definePlugin(rest) },
      })
      assert.deepStrictEqual(
        diagnostics.map(({ code, message: found }) => `${code} ${found}`),
        ['PL4001 the plugin "late" does not have what it promises: stages "repeat"'],
      )
    }),
  )
})

const fromArtefact = (given: string, opened = options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const built = yield* checkWorkflow(workflow(given), options, "check")
      const artefact = yield* Effect.promise(() =>
        artefactOf({ workflow: built.workflow!, sources: built.sources, folder: tmpdir() }),
      )
      const { pipeline } = yield* openArtefact(artefact, opened)
      return yield* run(pipeline, {})
    }),
  )

describe("a tool source that a plugin gives in its set-up", () => {
  const look: Tool = {
    name: "look",
    summary: "Looks.",
    capabilities: [],
    inputs: {},
    params: { type: "object", properties: { of: { type: "string" } } },
    outputs: [],
  }
  const uses = stageKind<{ readonly tool: string }>({
    id: "uses",
    summary: "Calls a tool.",
    input: { type: "object", properties: { tool: { type: "string" } } },
    output: true,
    refers: ({ tool }) => [{ to: "tool", id: String(tool), at: ["tool"] }],
    run: ({ tool }, { callTool }) => callTool({ tool, params: {}, key: "one" }),
  })
  const withTools = (listed: ReadonlyArray<Tool>): LoadOptions => ({
    extraPlugins: [
      definePlugin({
        id: "shelf",
        summary: "Gives its tools when it is set up.",
        components: { stages: [uses] },
        provides: { tools: [{ id: "shelf", tools: [look] }] },
        setup: () =>
          Effect.succeed({
            tools: [
              {
                id: "shelf",
                summary: "Tools.",
                list: Effect.succeed({ tools: listed }),
                call: () => Effect.succeed({ value: "seen" }),
              },
            ],
          }),
      }),
    ],
  })
  const workflowWith = (tool: string): string => {
    const file = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
    writeFileSync(
      file,
      `apiVersion: planloom/v1
kind: Workflow
name: late
stages: [{ id: a, uses: uses, with: { tool: ${tool} } }]
outputs: { out: "\${{ stages.a.output }}" }
`,
    )
    return file
  }
  const codes = (file: string, given: LoadOptions) =>
    Effect.map(check(file, given), ({ diagnostics }) => diagnostics.map(({ code }) => code))

  it.effect("has the promised tools for `check`, and no others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* codes(workflowWith("look"), withTools([look])), [])
      assert.deepStrictEqual(yield* codes(workflowWith("lock"), withTools([look])), ["PL4008"])
    }),
  )

  it.effect("runs a promised tool once it is set up", () =>
    Effect.gen(function* () {
      const { outputs } = yield* Effect.scoped(
        Effect.flatMap(load(workflowWith("look"), withTools([look])), ({ pipeline }) =>
          run(pipeline, {}),
        ),
      )
      assert.deepStrictEqual(outputs, { out: "seen" })
    }),
  )

  it.effect.each([
    ["is missing", [], "is promised, but not listed once the plugin is set up"],
    [
      "has other params",
      [{ ...look, params: true }],
      "has other params than promised once the plugin is set up",
    ],
  ] as const)("fails to load if a promised tool %s", ([, listed, why]) =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        Effect.scoped(load(workflowWith("look"), withTools(listed))),
      )
      assert.include(
        failed.message,
        `the plugin "shelf": the tool "look" of its source "shelf" ${why}`,
      )
    }),
  )
})

describe("a tool that a plugin makes in its set-up", () => {
  const withTools = definePlugin({
    id: "late",
    summary: "Has tools.",
    provides: { tools: ["su"] },
    setup: () => Effect.succeed({}),
  })
  const file = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    file,
    `apiVersion: planloom/v1
kind: Workflow
name: late
use: { plugins: ["@planloom/stages", late] }
stages: [{ id: say, uses: call, with: { tool: base_of } }]
`,
  )

  it.effect("is unknown to check with the cure, if only its source is promised", () =>
    Effect.gen(function* () {
      const { diagnostics } = yield* check(file, {
        plugins: { late: async () => withTools, "@planloom/stages": async () => stages },
      })
      const unknown = diagnostics.find(({ code }) => code === "PL4008")
      assert.strictEqual(
        unknown?.help,
        'if "su" of late has it, promise the tools that its setup makes: provides: { tools: [{ id: "su", tools }] }',
      )
    }),
  )
})
