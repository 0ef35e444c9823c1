/** Tools that only a catalog describes, run by the source that it names. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { run } from "@planloom/core"
import { definePlugin, type CatalogTools, type ToolSource } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { check, load } from "./Workflow.ts"

const catalogTools = (greeting: string): CatalogTools => ({
  schema: {
    type: "object",
    properties: { words: { type: "string" } },
    required: ["words"],
    additionalProperties: false,
  },
  complete: () => ({ effect: "none", result: { type: "string" } }),
  check: ({ name, with: given }) =>
    given!["words"] === greeting
      ? [{ code: "SAY001", message: `"${name}" says nothing new`, at: ["with", "words"] }]
      : [],
})

const listed = {
  name: "wave",
  summary: "Waves.",
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
}

/** Says the words of the entry. */
const source = (greeting: string): ToolSource => ({
  id: "say",
  summary: "Says words.",
  list: Effect.succeed({ tools: [listed] }),
  catalogTools: catalogTools(greeting),
  call: ({ entry, params }) =>
    Effect.succeed({
      value: `${greeting} ${String(entry?.with?.["words"])} ${String(params["to"])}`,
    }),
})

/** Its source exists once the plugin is set up with its config. */
const plugin = definePlugin({
  id: "saying",
  summary: "Says words.",
  config: Schema.Struct({ greeting: Schema.String }),
  provides: {
    tools: [
      { id: "say", tools: [listed], catalogTools: (config) => catalogTools(config.greeting) },
    ],
  },
  setup: ({ greeting }) => Effect.succeed({ tools: [source(greeting)] }),
})

const silent = definePlugin({
  id: "silent",
  summary: "Lists tools only.",
  components: {
    tools: [
      {
        id: "mute",
        summary: "Lists tools only.",
        list: Effect.succeed({ tools: [] }),
        call: () => Effect.succeed({ value: null }),
      },
    ],
  },
})

const params = "params: { type: object, properties: { to: { type: string } }, required: [to] }"

const workflow = (...entries: ReadonlyArray<string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const path = join(folder, "flow.yaml")
  writeFileSync(
    join(folder, "planloom.yaml"),
    "apiVersion: planloom/v1\nkind: Project\nplugins: { saying: { greeting: hello } }\n",
  )
  for (const [index, entry] of entries.entries()) {
    writeFileSync(
      join(folder, `tools${index}.yaml`),
      `apiVersion: planloom/v1\nkind: Catalog\ntools:\n  - ${entry}\n`,
    )
  }
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { files: [${entries.map((_, index) => `tools${index}.yaml`).join(", ")}] }
stages: [{ id: said, uses: call, with: { tool: greet, params: { to: Ada } } }]
outputs: { said: { type: string, value: "\${{ stages.said.output }}" } }
`,
  )
  return path
}

const options = { extraPlugins: [stages, plugin, silent] }

const problems = (...entries: ReadonlyArray<string>) =>
  Effect.map(check(workflow(...entries), options), ({ diagnostics }) =>
    diagnostics.map(({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`),
  )

const greet = `{ name: greet, summary: Greets., ${params}, source: say, with: { words: dear } }`

describe("a tool of a catalog that names its source", () => {
  it.effect("runs with what the entry says, and with the params of the call", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems(greet), [])
      const { outputs } = yield* Effect.scoped(
        Effect.flatMap(load(workflow(greet), options), ({ pipeline }) => run(pipeline, {})),
      )
      assert.deepStrictEqual(outputs, { said: "hello dear Ada" })
    }),
  )

  it.effect("has what the source completes, unless the entry or a later catalog sets it", () =>
    Effect.gen(function* () {
      const later = "{ name: greet, summary: Greets politely., needs_approval: true }"
      const { workflow: checked } = yield* check(workflow(greet, later), options)
      const tool = checked!.pipeline.tools.get("greet")!
      assert.isTrue(tool.isFromCatalog)
      assert.include(tool.tool, {
        effect: "none",
        summary: "Greets politely.",
        needs_approval: true,
      })
      assert.deepInclude(tool.tool, { result: { type: "string" } })
    }),
  )

  it.effect.each([
    [
      "whose `with` does not fit",
      "source: say, with: { wrods: x }",
      '4:134 PL0101 unknown key "wrods"',
    ],
    [
      "that the source refuses by its config",
      "source: say, with: { words: hello }",
      '4:141 SAY001 "greet" says nothing new',
    ],
    ["of an unknown source", "source: sey", '4:121 PL4044 there is no tool source "sey"'],
    [
      "of a source that only lists tools",
      "source: mute",
      '4:121 PL4044 the tool source "mute" does not run tools of catalogs',
    ],
    [
      "without the source",
      "with: { words: dear }",
      '4:119 PL4044 "with" has no effect without "source"',
    ],
  ] as const)("%s is an error at its place", ([, rest, message]) =>
    Effect.gen(function* () {
      const entry = `{ name: greet, summary: G., ${params}, ${rest} }`
      assert.deepStrictEqual(yield* problems(entry), [message])
    }),
  )

  it.effect("that the source lists itself is an error", () =>
    Effect.gen(function* () {
      const wave = "{ name: wave, summary: Waves., source: say, with: { words: dear } }"
      assert.deepStrictEqual(yield* problems(greet, wave), [
        '4:44 PL4044 "wave" is a tool that the source "say" lists itself',
      ])
    }),
  )
})
