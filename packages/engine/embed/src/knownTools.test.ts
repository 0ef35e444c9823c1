/** Tool sources that know their list without being started: what `check` and runs make of it. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { artefactOf, checkWorkflow, type LoadOptions } from "@planloom/language"
import { definePlugin as defineAsync, toolSource } from "@planloom/plugin"
import {
  definePlugin,
  fileKind,
  sectionKind,
  ToolFailed,
  type Declared,
  type Json,
  type JsonObject,
  type Tool,
  type ToolList,
  type ToolSource,
} from "@planloom/plugin/effect"
import { openArtefact } from "./artefact.ts"
import { check, load } from "./Workflow.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: { type: "object" },
  outputs: [],
  effect: "read",
  ...more,
})

const values = (declared: Declared | undefined): Json => [
  ...(declared?.files("Shelves") ?? []).map(({ value }) => value),
  ...(declared?.sections("shelves") ?? []).map(({ value }) => value),
]

/** A plugin of a remote source: what it knows, what it would list if it was started, and how often it was. */
const remote = (
  known: ToolList | undefined,
  listed: Effect.Effect<ToolList, ToolFailed> = Effect.die("started"),
) => {
  const seen = { starts: 0, declared: [] as Array<Json>, paths: [] as Array<string> }
  const knownOf = (declared: Declared | undefined) =>
    Effect.sync(() => {
      seen.declared.push(values(declared))
      seen.paths.push(...(declared?.files("Shelves") ?? []).map(({ path }) => path))
      return known!
    })
  const plugin = definePlugin<JsonObject>({
    id: "remote",
    summary: "A remote shelf.",
    components: {
      fileKinds: [fileKind({ kind: "Shelves", summary: "Shelves.", schema: { type: "object" } })],
      sections: [
        sectionKind({
          on: "workflow",
          key: "shelves",
          summary: "Shelves.",
          schema: { type: "object" },
        }),
      ],
    },
    provides: {
      tools: [
        {
          id: "shelf",
          tools: [],
          ...(known && { known: (_config: JsonObject, declared: Declared) => knownOf(declared) }),
        },
      ],
    },
    setup: (_config, host) => {
      const source: ToolSource = {
        id: "shelf",
        summary: "A remote shelf.",
        list: Effect.suspend(() => {
          seen.starts++
          return listed
        }),
        ...(known && { known: Effect.suspend(() => knownOf(host.declared?.())) }),
        call: ({ tool: name }) => Effect.succeed({ value: `${name} called` }),
      }
      return Effect.succeed({ tools: [source] })
    },
  })
  const options: LoadOptions = {
    plugins: {
      remote: async () => plugin,
      "@planloom/stages": async () => (await import("@planloom/stages")).default,
    },
  }
  return { seen, options }
}

const workflow = (stage: string, more = "", files: { readonly [name: string]: string } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), `apiVersion: planloom/v1\n${text}`)
  }
  const path = join(folder, "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: test
use: { plugins: [remote, "@planloom/stages"], files: [${Object.keys(files).join(", ")}] }
${more}
stages:
  - ${stage}
`,
  )
  return path
}

const calls = (name: string) => `{ id: a, uses: call, with: { tool: ${name}, params: {} } }`

const found = (path: string, options: LoadOptions) =>
  Effect.map(check(path, options), ({ diagnostics }) =>
    diagnostics.map(({ code, message, severity, start }) =>
      severity === "error"
        ? `${start.line}:${start.col} ${code}`
        : `${severity} ${start.line}:${start.col} ${code} ${message}`,
    ),
  )

const outcome = (path: string, options: LoadOptions) =>
  Effect.scoped(
    Effect.flatMap(load(path, options), ({ pipeline }) =>
      Effect.match(run(pipeline, {}), {
        onSuccess: ({ outputs }) => outputs as Json,
        onFailure: ({ message }) => message,
      }),
    ),
  )

describe("a tool source that knows its list", () => {
  it.effect("is judged by it in check and in a run, and started by neither", () =>
    Effect.gen(function* () {
      const { options, seen } = remote({ tools: [tool("base.look")] })
      const output = 'outputs: { said: "${{ stages.a.output }}" }'
      const path = workflow(calls("base.look"), output)
      assert.deepStrictEqual(yield* found(path, options), [])
      assert.deepStrictEqual(yield* outcome(path, options), { said: "base.look called" })
      const wrong = workflow(calls("base.lok"))
      assert.deepStrictEqual(yield* found(wrong, options), ["7:40 PL4008"])
      const refused = yield* Effect.flip(Effect.scoped(load(wrong, options)))
      assert.include(refused.message, 'there is no tool "base.lok"')
      assert.strictEqual(seen.starts, 0)
    }),
  )

  it.effect("types the workflow by the schemas of its tools", () =>
    Effect.gen(function* () {
      const result = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
      const { options } = remote({ tools: [tool("base.look", { result })] })
      const path = workflow(calls("base.look"), 'outputs: { said: "${{ stages.a.output.m }}" }')
      assert.deepStrictEqual(yield* found(path, options), ["5:39 PL1201"])
    }),
  )

  it.effect(
    "knows it from files and sections of the workflow, from sources and from an artefact",
    () =>
      Effect.gen(function* () {
        const { options, seen } = remote({ tools: [tool("base.look")] })
        const path = workflow(calls("base.look"), "shelves: { top: 1 }", {
          "shelves.yaml": "kind: Shelves\nbottom: 2\n",
        })
        const both = [{ bottom: 2 }, { top: 1 }]
        assert.deepStrictEqual(yield* found(path, options), [])
        yield* outcome(path, options)
        const checked = yield* Effect.scoped(checkWorkflow(path, options, "check"))
        const artefact = yield* Effect.promise(() =>
          artefactOf({
            workflow: checked.workflow!,
            sources: checked.sources,
            folder: join(path, ".."),
          }),
        )
        const file = join(path, "../artefact.json")
        writeFileSync(file, JSON.stringify(artefact))
        yield* Effect.scoped(openArtefact(file, { plugins: options.plugins! }))
        assert.deepStrictEqual(seen.declared, [both, both, both, both])
        assert.deepStrictEqual(new Set(seen.paths), new Set([join(path, "../shelves.yaml")]))
        assert.strictEqual(seen.starts, 0)
      }),
  )

  it.effect("is reported with the time of a list that no longer holds, which still counts", () =>
    Effect.gen(function* () {
      const synchronized = Date.UTC(2026, 0, 2, 3, 4)
      const list = { tools: [tool("base.look")], synchronized, expires: synchronized + 3_600_000 }
      const { options, seen } = remote(list)
      assert.deepStrictEqual(yield* found(workflow(calls("base.look")), options), [
        'warning 4:8 PL4048 the list of tools of the source "shelf" is of 2026-01-02 03:04 and held until 2026-01-02 04:04',
      ])
      const fresh = remote({ ...list, expires: Date.UTC(2999, 0) })
      assert.deepStrictEqual(yield* found(workflow(calls("base.look")), fresh.options), [])
      assert.strictEqual(seen.starts, 0)
    }),
  )

  it.effect("reports what its source has to say about its tools", () =>
    Effect.gen(function* () {
      const concerns = ['"base.look" is withheld', 'the texts of "base.see" instruct a model']
      const { options, seen } = remote({ tools: [tool("base.look")], concerns })
      assert.deepStrictEqual(
        yield* found(workflow(calls("base.look")), options),
        concerns.map((concern) => `warning 4:8 PL4049 ${concern}`),
      )
      assert.strictEqual(seen.starts, 0)
    }),
  )

  it.effect("may have more: such a name is a warning, and any other an error", () =>
    Effect.gen(function* () {
      const { options } = remote({ tools: [tool("base.look")], open: ["far.*", "near.one"] })
      const code = (name: string) => found(workflow(calls(name)), options)
      assert.deepStrictEqual(yield* code("base.look"), [])
      assert.deepStrictEqual(yield* code("far.any"), [
        'warning 7:40 PL4047 no source lists a tool "far.any" now',
      ])
      assert.deepStrictEqual(yield* code("near.one"), [
        'warning 7:40 PL4047 no source lists a tool "near.one" now',
      ])
      assert.deepStrictEqual(yield* code("near.two"), ["7:40 PL4008"])
      assert.deepStrictEqual(yield* code("base.lock"), ["7:40 PL4008"])
      assert.deepStrictEqual(yield* code('"far.*"'), ["7:40 PL4008"])
    }),
  )

  it.effect(
    "is read anew for a run if it may have more, and keeps what it knew if it cannot be",
    () =>
      Effect.gen(function* () {
        const known = { tools: [tool("base.look")], open: ["far.*"] }
        const output = 'outputs: { said: "${{ stages.a.output }}" }'
        const path = workflow(calls("far.any"), output)
        const up = remote(known, Effect.succeed({ tools: [tool("far.any")] }))
        assert.deepStrictEqual(yield* outcome(path, up.options), { said: "far.any called" })
        assert.strictEqual(up.seen.starts, 1)
        const down = new ToolFailed({ tool: "", class: "unavailable", message: "no route" })
        const { options } = remote(known, Effect.fail(down))
        assert.strictEqual(
          yield* outcome(path, options),
          '"far.any" is unavailable: its source "shelf" cannot list its tools: no route; only the catalogs\' entries are known',
        )
        const other = workflow(calls("base.look"), output)
        assert.deepStrictEqual(yield* outcome(other, options), { said: "base.look called" })
      }),
  )

  it.effect("has entries of catalogs in place of tools that it does not list now", () =>
    Effect.gen(function* () {
      const known = { tools: [], open: ["far.*"], partial: "no route" }
      const { options } = remote(known, Effect.succeed(known))
      const catalog =
        "kind: Catalog\ntools: [{ name: far.any, summary: Anything., effect: read, params: { type: object } }]\n"
      const path = workflow(calls("far.any"), 'outputs: { said: "${{ stages.a.output }}" }', {
        "catalog.yaml": catalog,
      })
      assert.deepStrictEqual(yield* found(path, options), [
        'warning 4:8 PL4013 the tool source "shelf" lists only some of its tools: no route',
      ])
      assert.deepStrictEqual(yield* outcome(path, options), { said: "far.any called" })
    }),
  )
})

describe("a tool source in promise style", () => {
  it.effect("knows its list before and after its set-up", () =>
    Effect.gen(function* () {
      const list = { tools: [tool("base.look")] }
      let starts = 0
      const plugin = defineAsync({
        id: "remote",
        summary: "A remote shelf.",
        provides: { tools: [{ id: "shelf", tools: [], known: async () => list }] },
        setup: () => ({
          tools: [
            toolSource({
              id: "shelf",
              summary: "A remote shelf.",
              list: () => {
                starts++
                return list
              },
              known: async () => list,
              call: async ({ tool: name }) => ({ value: `${name} called` }),
            }),
          ],
        }),
      })
      const { options } = remote(undefined)
      const plugins = { ...options.plugins, remote: async () => plugin }
      const path = workflow(calls("base.look"), 'outputs: { said: "${{ stages.a.output }}" }')
      assert.deepStrictEqual(yield* found(path, { plugins }), [])
      assert.deepStrictEqual(yield* outcome(path, { plugins }), { said: "base.look called" })
      assert.strictEqual(starts, 0)
    }),
  )
})

describe("params of a catalog", () => {
  const params = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    title: "Look",
    required: ["b", "a"],
    properties: {
      a: { type: "string", description: "One.", examples: ["x"] },
      b: { enum: ["y", "x"], title: "Two" },
    },
  }

  it.effect.each([
    [
      "{ type: object, properties: { b: { enum: [x, y] }, a: { type: string } }, required: [a, b] }",
      [],
    ],
    ["{ type: object, properties: { b: { enum: [x] }, a: { type: string } } }", ["PL4042"]],
    ["{ type: object, properties: { title: { type: string } } }", ["PL4042"]],
  ] as const)("%s are compared without annotations", ([written, codes]) =>
    Effect.gen(function* () {
      const { options } = remote({ tools: [tool("base.look", { params })] })
      const path = workflow("{ id: a, uses: set, with: { values: {} } }", "", {
        "catalog.yaml": `kind: Catalog\ntools: [{ name: base.look, summary: Looks., params: ${written} }]\n`,
      })
      const { diagnostics } = yield* check(path, options)
      assert.deepStrictEqual(
        diagnostics.map(({ code }) => code).filter((code) => code === "PL4042"),
        [...codes],
      )
    }),
  )
})

describe("tools by the start of their names", () => {
  const agent = (names: string) =>
    workflow(
      `{ id: a, uses: agent, model: m, with: { task: Go., tools: [${names}] } }`,
      "models: { m: { try: [] } }",
    )

  it.effect("are those that a source lists or may list, and an error otherwise", () =>
    Effect.gen(function* () {
      const { options } = remote({ tools: [tool("base.look"), tool("base.dig")], open: ["far.*"] })
      const code = (names: string) =>
        Effect.map(found(agent(names), options), (all) =>
          all.flatMap((one) => /PL40(08|47).*/.exec(one)?.[0] ?? []),
        )
      assert.deepStrictEqual(yield* code("base.*"), [])
      assert.deepStrictEqual(yield* code("{ name: base.*, load: lazy }"), [])
      assert.deepStrictEqual(yield* code("far.*, far.a*"), [
        'PL4047 no source lists tools "far.*" now',
        'PL4047 no source lists tools "far.a*" now',
      ])
      assert.deepStrictEqual(yield* code("bas.*"), ["PL4008"])
      assert.deepStrictEqual(yield* code("{ name: base.*, ends: true }"), ["PL4008"])
    }),
  )
})
