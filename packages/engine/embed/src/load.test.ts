import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  definePlugin,
  StageFailed,
  stageKind,
  type FailureClass,
  type Json,
  type JsonObject,
  type Plugin,
} from "@planloom/plugin/effect"
import type { LoadOptions, PluginFile } from "@planloom/language"
import { run } from "@planloom/core"
import { echo, increment } from "../../core/test/inline.ts"
import { check, load } from "./Workflow.ts"

/** A project folder with these files; the first one is the workflow. */
const project = (files: { readonly [path: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return join(folder, Object.keys(files)[0]!)
}

const workflow = (body: string, name = "test") =>
  `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\n${body}`

const basics: Plugin = definePlugin({
  id: "basics",
  summary: "Echo and increment.",
  components: { stages: [echo, increment] },
})

const messages = (path: string, options: LoadOptions = {}) =>
  Effect.map(check(path, options), ({ diagnostics }) =>
    diagnostics.map(({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`),
  )

/** A plugin in one file that needs nothing but Node. */
const local = (apiVersion: number) => `
const stage = {
  id: "hello",
  summary: "Says hello.",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  output: { type: "string" },
  run: ({ name }: { name: string }) => succeed("hello " + name),
}
import { succeed } from ${JSON.stringify(import.meta.resolve("effect/Effect"))}
export default { id: "local", summary: "Local.", apiVersion: ${apiVersion}, components: { stages: [stage] } }
`

describe("a plugin that cannot be imported", () => {
  const body = "use: { plugins: [./plugin.ts] }\nstages: [{ id: a, uses: hello }]\n"

  it.effect("names the fix for an unreadable file, not the folders searched", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow("prompts: { p: big.md }\nstages: [{ id: a, uses: hello, prompt: p }]\n"),
        "big.md": "a".repeat(1024 * 1024 + 1),
      })
      const { diagnostics } = yield* check(path)
      const unread = diagnostics.find(({ code }) => code === "PL4011")
      assert.match(unread?.help ?? "", /^split it/)
    }),
  )

  it.effect.each([
    [
      'import "not-installed-anywhere"',
      'it imports "not-installed-anywhere", which cannot be found',
    ],
    ['throw new Error("boom")', "boom"],
    ['throw "boom"', "it threw boom"],
    ["export const plugin = 1", "it does not export a plugin as its default"],
  ] as const)("says why: %s", ([code, why]) =>
    Effect.gen(function* () {
      const path = project({ "w.yaml": workflow(body), "plugin.ts": code })
      const [first] = yield* messages(path)
      assert.include(first ?? "", `PL4001 the plugin "./plugin.ts" cannot be loaded: ${why}`)
    }),
  )
})

describe("a plugin whose code the host may refuse", () => {
  const body = "use: { plugins: [./plugin.ts] }\nstages: [{ id: a, uses: hello }]\n"
  const loud = `globalThis.planloomRan = true\n${local(1)}`
  const ran = () => Reflect.get(globalThis, "planloomRan") === true

  it.effect("is named to the host with its file and place, and is an error when refused", () =>
    Effect.gen(function* () {
      const path = project({ "w.yaml": workflow(body), "plugin.ts": loud })
      const asked: Array<PluginFile> = []
      const said = yield* messages(path, {
        mayLoad: async (plugin) => {
          asked.push(plugin)
          return { refused: "it is not trusted", help: "trust it" }
        },
      })
      const file = realpathSync(join(dirname(path), "plugin.ts"))
      assert.deepStrictEqual(asked, [
        { name: "./plugin.ts", file, folder: dirname(path), place: `${path}:4:18` },
      ])
      assert.deepStrictEqual(said, [
        '4:18 PL4024 the plugin "./plugin.ts" is not loaded: it is not trusted',
      ])
      assert.isFalse(ran())
    }),
  )

  it.effect("is not loaded for an answer of the host that is no decision", () =>
    Effect.gen(function* () {
      const path = project({ "w.yaml": workflow(body), "plugin.ts": loud })
      for (const answer of [true, false, undefined, null, "yes", { refused: true }]) {
        const said = yield* messages(path, { mayLoad: async () => answer as never })
        assert.deepStrictEqual(said, [
          `4:18 PL4024 the plugin "./plugin.ts" is not loaded: mayLoad of the host returned ${JSON.stringify(answer)}`,
        ])
      }
      assert.isFalse(ran())
    }),
  )

  it.effect("is a warning when left out, and the workflow cannot be loaded then", () =>
    Effect.gen(function* () {
      const path = project({
        "outer.yaml": workflow(
          "use: { plugins: [nesting] }\nstages: [{ id: n, uses: nest, with: { workflow: w.yaml } }]\n",
        ),
        "w.yaml": workflow(body),
        "plugin.ts": loud,
      })
      const nest = stageKind({
        id: "nest",
        summary: "Names a workflow.",
        input: { type: "object", properties: { workflow: { type: "string" } } },
        output: {},
        refers: ({ workflow: id }) => [{ to: "workflow", id: String(id), at: ["workflow"] }],
        run: () => Effect.succeed(null),
      })
      const nesting = definePlugin({ id: "b", summary: "Nests.", components: { stages: [nest] } })
      const options: LoadOptions = {
        plugins: { nesting: async () => nesting },
        mayLoad: async () => "skip",
      }
      const checked = yield* check(path, options)
      assert.deepStrictEqual(
        checked.diagnostics.map(({ code, severity }) => `${severity} ${code}`),
        ["warning PL4024"],
      )
      const invalid = yield* Effect.flip(Effect.scoped(load(path, options)))
      assert.strictEqual(invalid._tag, "WorkflowInvalid")
      assert.isFalse(ran())
    }),
  )

  it.effect("runs when the host does not refuse", () =>
    Effect.gen(function* () {
      yield* check(project({ "w.yaml": workflow(body), "plugin.ts": loud }))
      assert.isTrue(ran())
    }),
  )

  it.effect("is never a file of the working folder called like a module of Node", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow("use: { plugins: [fs] }\nstages: []\n"),
      })
      assert.include(
        yield* messages(path),
        '4:18 PL4001 the plugin "fs" cannot be loaded: it is a module of Node, not a plugin',
      )
    }),
  )
})

describe("a declared plugin", () => {
  const body = `use: { plugins: [./plugin.ts] }
stages: [{ id: a, uses: hello, with: { name: you } }]
outputs: { a: "\${{ stages.a.output }}" }
`

  it.effect("may be a TypeScript file beside the workflow", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* load(project({ "w.yaml": workflow(body), "plugin.ts": local(1) }))
      assert.deepStrictEqual((yield* run(pipeline, {})).outputs, { a: "hello you" })
    }),
  )

  it.effect("made for another version of the contract is refused where it is declared", () =>
    Effect.gen(function* () {
      const path = project({ "w.yaml": workflow(body), "plugin.ts": local(7) })
      const [first] = yield* messages(path)
      assert.match(first ?? "", /^4:18 PL4001 .*version 7 .* speaks version 1/)
    }),
  )

  it.effect("that is missing, throws, or is not a plugin is reported with its cause", () =>
    Effect.gen(function* () {
      const missing = project({ "w.yaml": workflow(body) })
      assert.include((yield* messages(missing))[0] ?? "", "the file does not exist")
      const broken = project({ "w.yaml": workflow(body), "plugin.ts": "throw new Error('boom')" })
      assert.include((yield* messages(broken))[0] ?? "", "boom")
      const other = project({ "w.yaml": workflow(body), "plugin.ts": "export const x = 1" })
      assert.include((yield* messages(other))[0] ?? "", "definePlugin")
      const uninstalled = project({
        "w.yaml": workflow(body.replace("./plugin.ts", "planloom-plugin-nowhere")),
      })
      const { diagnostics } = yield* check(uninstalled)
      assert.include(diagnostics[0]?.help ?? "", "npm install planloom-plugin-nowhere")
    }),
  )

  it.effect("is set up with its secrets by load, not by check, and closed with the scope", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const opening = definePlugin<{ readonly greeting: string }>({
        id: "opening",
        summary: "Opens something.",
        config: Schema.Struct({ greeting: Schema.String }),
        components: { stages: [echo, increment] },
        setup: ({ greeting }, { secret }) =>
          Effect.as(
            Effect.acquireRelease(
              Effect.sync(() => log.push(`open ${greeting} ${secret("KEY")} ${secret("OTHER")}`)),
              () => Effect.sync(() => log.push("close")),
            ),
            {},
          ),
      })
      const path = project({
        "w.yaml": workflow(
          `use: { plugins: [opening] }\nsecrets: [KEY]\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n`,
        ),
        "planloom.yaml":
          "apiVersion: planloom/v1\nkind: Project\nplugins: { opening: { greeting: hi } }\n",
      })
      const options: LoadOptions = {
        plugins: { opening: () => Promise.resolve(opening) },
        secret: (name) => `value of ${name}`,
      }
      assert.deepStrictEqual((yield* check(path, options)).diagnostics, [])
      assert.deepStrictEqual(log, [])
      yield* Effect.scoped(load(path, options))
      assert.deepStrictEqual(log, ["open hi value of KEY undefined", "close"])
    }),
  )

  it.effect("with invalid config is an error at its key in planloom.yaml", () =>
    Effect.gen(function* () {
      const configured = definePlugin<{ readonly limit: number }>({
        id: "configured",
        summary: "Takes a limit.",
        config: Schema.Struct({ limit: Schema.Finite }),
        components: { stages: [echo, increment] },
      })
      const path = project({
        "w.yaml": workflow(
          `use: { plugins: [configured] }\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n`,
        ),
        "planloom.yaml":
          "apiVersion: planloom/v1\nkind: Project\nplugins:\n  configured:\n    limit: many\n    limti: 3\n",
      })
      const { diagnostics } = yield* check(path, {
        plugins: { configured: () => Promise.resolve(configured) },
      })
      assert.deepStrictEqual(
        diagnostics.map(
          ({ code, file, start }) => `${file.split("/").at(-1)}:${start.line} ${code}`,
        ),
        ["planloom.yaml:5 PL4002", "planloom.yaml:6 PL4002"],
      )
    }),
  )

  it.effect(
    "that refuses its config when it is set up is told so at the place in planloom.yaml",
    () =>
      Effect.gen(function* () {
        const refusing = (detail: Json | undefined, failure: FailureClass = "invalid_request") =>
          definePlugin<{ readonly folder?: string }>({
            id: "refusing",
            summary: "Opens a folder.",
            config: Schema.Struct({ folder: Schema.optionalKey(Schema.String) }),
            components: { stages: [echo] },
            setup: () =>
              Effect.fail(
                new StageFailed({
                  class: failure,
                  message: "there is no such folder",
                  ...(detail === undefined ? {} : { detail }),
                }),
              ),
          })
        const told = (plugin: Plugin, config = "plugins:\n  refusing:\n    folder: nowhere\n") => {
          const path = project({
            "w.yaml": workflow(
              `use: { plugins: [refusing] }\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n`,
            ),
            "planloom.yaml": `apiVersion: planloom/v1\nkind: Project\n${config}`,
          })
          return Effect.map(
            Effect.flip(
              Effect.scoped(load(path, { plugins: { refusing: () => Promise.resolve(plugin) } })),
            ),
            ({ diagnostics }) =>
              diagnostics.map(
                ({ code, file, message, start }) =>
                  `${file.split("/").at(-1)}:${start.line}:${start.col} ${code} ${message}`,
              ),
          )
        }
        const message = 'the plugin "refusing" could not be set up: there is no such folder'
        assert.deepStrictEqual(yield* told(refusing({ path: ["folder"] })), [
          `planloom.yaml:5:13 PL4002 ${message}`,
        ])
        for (const vague of [undefined, null, { path: "folder" }, { path: [{}] }]) {
          assert.deepStrictEqual(yield* told(refusing(vague)), [
            `planloom.yaml:5:5 PL4002 ${message}`,
          ])
        }
        assert.deepStrictEqual(yield* told(refusing({ path: ["folder"] }), ""), [
          `w.yaml:4:18 PL4002 ${message}`,
        ])
        assert.deepStrictEqual(yield* told(refusing({ path: ["folder"] }, "unavailable")), [
          `w.yaml:4:18 PL4001 ${message}`,
        ])
      }),
  )

  it.effect("must not contribute an id that another one contributes", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow(
          `use: { plugins: [one, two] }\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n`,
        ),
      })
      const [first] = yield* messages(path, {
        plugins: { one: () => Promise.resolve(basics), two: () => Promise.resolve(basics) },
      })
      assert.match(first ?? "", /^4:23 PL4001 stages "echo" is already given by the plugin "one"/)
    }),
  )
})

describe("settings", () => {
  const path = () =>
    project({
      "w.yaml": workflow(`inputs: { n: { type: integer, default: 1 } }
stages: [{ id: a, uses: increment, with: { value: "\${{ inputs.n }}" } }]
outputs: { a: { type: integer, value: "\${{ stages.a.output }}" } }
`),
      "planloom.yaml": `apiVersion: planloom/v1
kind: Project
environments:
  prod: { set: { inputs.n.default: 10, stages.a.timeout: 5s } }
`,
    })

  it.effect("of an environment apply first, the caller's own last", () =>
    Effect.gen(function* () {
      const options: LoadOptions = { extraPlugins: [basics], environment: "prod" }
      const prod = yield* load(path(), options)
      assert.deepStrictEqual((yield* run(prod.pipeline, {})).outputs, { a: 11 })
      assert.strictEqual(prod.pipeline.main.nodes[0]?.policy?.timeout, 5000)
      const own = yield* load(path(), {
        ...options,
        set: [{ path: "inputs.n.default", value: 20 }],
      })
      assert.deepStrictEqual((yield* run(own.pipeline, {})).outputs, { a: 21 })
    }),
  )

  it.effect("are named where a value they gave is wrong, because the file shows another", () =>
    Effect.gen(function* () {
      const set = [
        { path: "stages.a.timeout", value: 30 },
        { path: "nope.deeper", value: "x" },
      ]
      assert.deepStrictEqual(yield* messages(path(), { extraPlugins: [basics], set }), [
        '1:1 PL0101 unknown key "nope" (set from outside the file: nope.deeper=x)',
        "5:10 PL0105 30 is not a duration (set from outside the file: stages.a.timeout=30)",
      ])
    }),
  )

  it.effect("that match nothing in the workflow are reported with a suggestion", () =>
    Effect.gen(function* () {
      const named = (set: string, value: Json = 1) =>
        messages(path(), { extraPlugins: [basics], set: [{ path: set, value }] })
      assert.deepStrictEqual(yield* named("stages.b.timeout", "5s"), [
        '5:1 PL4016 the setting "stages.b.timeout" names nothing: stages has no "b"',
      ])
      assert.deepStrictEqual(yield* named("inputs.m.default"), [
        '4:1 PL4016 the setting "inputs.m.default" names nothing: inputs has no "m"',
      ])
      for (const stray of [
        "models.fast",
        "policies.retry.again.max_retries",
        "outputs.b",
        "flags.f",
      ]) {
        assert.match(String(yield* named(stray)), /PL4016/, stray)
      }
      assert.deepStrictEqual(yield* named("stages.a.timeout", "5s"), [])
      assert.deepStrictEqual(yield* named("stages.0.timeout", "5s"), [])
      assert.deepStrictEqual(yield* named("policies.budget.tokens"), [])
    }),
  )

  it.effect("may declare what a stage asks for, or the project has", () =>
    Effect.gen(function* () {
      const file = project({
        "w.yaml": workflow(`policies: { retry: { once: { max_retries: 1 } } }
stages: [{ id: a, uses: increment, retry: [twice], with: { value: 1 } }]
outputs: { a: "\${{ stages.a.output }}" }
`),
        "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\nmodels: { fast: none/any }\n",
      })
      const told = (set: ReadonlyArray<{ readonly path: string; readonly value: Json }>) =>
        Effect.map(messages(file, { extraPlugins: [basics], set }), (all) =>
          all.filter((message) => message.includes("PL4016")),
        )
      assert.deepStrictEqual(
        yield* told([
          { path: "policies.retry.twice.max_retries", value: 2 },
          { path: "models.fast.temperature", value: 0 },
          { path: "models.slow", value: "none/any" },
          { path: "stages.a.model", value: "slow" },
        ]),
        [],
      )
      assert.lengthOf(yield* told([{ path: "models.fats", value: "none/any" }]), 1)
    }),
  )

  it.effect("list the known environments when an unknown one is selected", () =>
    Effect.gen(function* () {
      const [first] = yield* messages(path(), { extraPlugins: [basics], environment: "prd" })
      assert.match(first ?? "", /PL4014 there is no environment "prd"; there are: prod/)
    }),
  )
})

describe("a workflow inside a workflow", () => {
  const nesting: Plugin = definePlugin({
    id: "nesting",
    summary: "Runs a workflow.",
    components: {
      stages: [
        stageKind<{ readonly path: string; readonly inputs: JsonObject }>({
          id: "nested",
          summary: "Runs another workflow.",
          input: {
            type: "object",
            properties: { path: { type: "string" }, inputs: { type: "object" } },
            required: ["path"],
          },
          output: ({ path }, known) => known.workflow(String(path)) ?? true,
          refers: ({ path }) => [{ to: "workflow", id: String(path), at: ["path"] }],
          run: ({ inputs, path }, context) => context.workflow(path, inputs),
        }),
      ],
    },
  })
  const outer = `stages: [{ id: inner, uses: nested, with: { path: ./inner.yaml, inputs: { n: 4 } } }]
outputs: { n: { type: integer, value: "\${{ stages.inner.output.n }}" } }
`
  const options: LoadOptions = { extraPlugins: [basics, nesting] }

  it.effect("may be the one that has what a setting names", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow(outer),
        "inner.yaml": workflow(`inputs: { n: { type: integer } }
stages: [{ id: deep, uses: increment, with: { value: "\${{ inputs.n }}" } }]
outputs: { n: { type: integer, value: "\${{ stages.deep.output }}" } }
`),
      })
      const told = (named: string) =>
        messages(path, { ...options, set: [{ path: named, value: "5s" }] })
      assert.deepStrictEqual(yield* told("stages.deep.timeout"), [])
      assert.deepStrictEqual(yield* told("stages.inner.timeout"), [])
      assert.match(String(yield* told("stages.depe.timeout")), /PL4016.*stages has no "depe"/)
    }),
  )

  it.effect("emits its stages below the stage that runs it", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* load(
        project({
          "w.yaml": workflow(outer),
          "inner.yaml": workflow(
            `inputs: { n: { type: integer } }
stages: [{ id: a, uses: increment, with: { value: "\${{ inputs.n }}" } }]
outputs: { n: { type: integer, value: "\${{ stages.a.output }}" } }
`,
            "inner",
          ),
        }),
        options,
      )
      const result = yield* run(pipeline, {})
      assert.deepStrictEqual(result.outputs, { n: 5 })
      assert.deepStrictEqual(Object.keys(result.stages), ["inner", "inner/a"])
    }),
  )

  it.effect("that runs itself is refused before it can", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow(outer.replace("./inner.yaml", "./w.yaml")),
      })
      assert.match((yield* messages(path, options))[0] ?? "", /PL4012 .*w\.yaml → .*w\.yaml/)
    }),
  )
})

describe("files a workflow names", () => {
  it.effect("that are missing are reported where they are named", () =>
    Effect.gen(function* () {
      const path = project({
        "w.yaml": workflow(
          `use: { files: [./none.yaml, ./gone.yaml] }
prompts: { planner: ./planner.md }
stages: [{ id: a, uses: echo, with: { value: 1 } }]
`,
        ),
      })
      const found = yield* messages(path, { extraPlugins: [basics] })
      assert.deepStrictEqual(
        found.filter((line) => line.includes("PL4011")).map((line) => line.slice(0, 11)),
        ["4:16 PL4011", "4:29 PL4011", "5:21 PL4011"],
      )
    }),
  )
})
