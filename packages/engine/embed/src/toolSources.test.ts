/** What `check` reports of the tools that sources list. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Deferred from "effect/Deferred"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { run } from "@planloom/core"
import {
  definePlugin,
  stageKind,
  ToolFailed,
  type JsonObject,
  type Components,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { echo } from "../../core/test/inline.ts"
import { checkFile } from "@planloom/language"
import { check, load } from "./Workflow.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
  ...more,
})

const source = (list: ToolSource["list"]): ToolSource => ({
  id: "shelf",
  summary: "Tools.",
  list,
  call: () => Effect.succeed({ value: null }),
})

/** Diagnostics of a workflow with the components and the entries of a catalog. */
const messages = (components: Components, entries = "") => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const path = join(folder, "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: test
use: { files: [${entries === "" ? "" : "catalog.yaml"}] }
stages: [{ id: a, uses: echo, with: { value: 1 } }]
`,
  )
  if (entries !== "") writeFileSync(join(folder, "catalog.yaml"), catalog(entries))
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: { ...components, stages: [echo, ...(components.stages ?? [])] },
  })
  return Effect.map(check(path, { extraPlugins: [plugin] }), ({ diagnostics }) =>
    diagnostics.map(({ code, file, message, severity, start }) =>
      file.endsWith("catalog.yaml")
        ? `${start.line}:${start.col} ${code} ${message}`
        : `${severity} ${code} ${message}`,
    ),
  )
}

const catalog = (entries: string) => `apiVersion: planloom/v1\nkind: Catalog\ntools:\n${entries}\n`

describe("a tool source", () => {
  it.effect("that lists all its tools is not reported", () =>
    Effect.gen(function* () {
      const tools = [source(Effect.succeed({ tools: [tool("look")] }))]
      assert.deepStrictEqual(yield* messages({ tools }), [])
    }),
  )

  it.effect("that lists only some of its tools is reported with its reason", () =>
    Effect.gen(function* () {
      const partial = "page 2 did not arrive"
      const tools = [source(Effect.succeed({ tools: [tool("look")], partial }))]
      assert.deepStrictEqual(yield* messages({ tools }), [
        `warning PL4013 the tool source "shelf" lists only some of its tools: ${partial}`,
      ])
    }),
  )

  it.effect("that cannot list its tools is reported with its failure", () =>
    Effect.gen(function* () {
      const failure = new ToolFailed({ tool: "", class: "unavailable", message: "no server" })
      assert.deepStrictEqual(yield* messages({ tools: [source(Effect.fail(failure))] }), [
        'warning PL4013 the tool source "shelf" cannot list its tools: no server; only the catalogs\' entries are known',
      ])
    }),
  )
})

describe("params of a catalog", () => {
  const params = { type: "object", properties: { n: { type: "integer" } } } as const
  const tools = [source(Effect.succeed({ tools: [tool("look", { params })] }))]

  it.effect("that differ from those of the tool's source are reported without effect", () =>
    Effect.gen(function* () {
      const entry = "  - { name: look, summary: Looks., params: { type: object } }"
      assert.deepStrictEqual(yield* messages({ tools }, entry), [
        '4:36 PL4042 these params of "look" have no effect: its source "shelf" declares others',
      ])
    }),
  )

  it.effect.each([
    ["are not written", "  - { name: look, summary: Looks. }"],
    ["are the same", `  - { name: look, summary: Looks., params: ${JSON.stringify(params)} }`],
    [
      "belong to a tool without a source",
      "  - { name: dig, summary: Digs., params: { type: object } }",
    ],
  ] as const)("that %s are not reported", ([, entry]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* messages({ tools }, entry), [])
    }),
  )
})

describe("the expressions of a tool", () => {
  const rates = tool("look", {
    params: {
      type: "object",
      properties: { of: { type: "string" }, n: { type: "integer" } },
      additionalProperties: false,
    },
    result: {
      type: "object",
      properties: { rows: { type: "array", items: { type: "number" } } },
      required: ["rows"],
      additionalProperties: false,
    },
  })
  const components = { tools: [source(Effect.succeed({ tools: [rates] }))] }

  it.effect("in a catalog are checked against the schemas of its source, at their locations", () =>
    Effect.gen(function* () {
      const entry = (summarize: string, normalize = "{}") =>
        messages(
          components,
          `  - name: look
    summary: Looks.
    summarize: ${summarize}
    normalize: ${normalize}`,
        )
      const right = yield* entry(
        `'string(size(result.rows)) + " rows"'`,
        "{ of: params.of.trim(), n: int(params.n) }",
      )
      assert.deepStrictEqual(right, [])
      assert.deepStrictEqual(yield* entry("size(result.row)"), [
        '6:28 PL1201 result has no field "row"',
      ])
      assert.deepStrictEqual(yield* entry("size(result.rows)"), [
        "6:16 PL1204 expected text, this is a whole number",
      ])
      assert.deepStrictEqual(yield* entry("output.rows"), [
        '6:16 PL1101 there is nothing called "output" here',
      ])
      assert.match((yield* entry("'a +'"))[0] ?? "", /^6:\d+ PL10/)
      assert.deepStrictEqual(yield* entry("params.of", "{ off: params.of }"), [
        "6:23 PL1206 params.of may be missing",
        '7:18 PL0101 the tool has no param "off"',
      ])
      assert.deepStrictEqual(yield* entry("'\"rates\"'", "{ n: string(params.n) }"), [
        "7:21 PL1204 expected a whole number, this is text",
      ])
    }),
  )

  it.effect("in a catalog are not compared with params that no source declares", () =>
    Effect.gen(function* () {
      const found = yield* messages(
        {},
        `  - name: look
    summary: Looks.
    normalize: { of: params.of.trim() }`,
      )
      assert.notInclude(found.join("\n"), "the tool has no param")
    }),
  )

  it.effect("of a source are reported with the tool and the source", () =>
    Effect.gen(function* () {
      const tools = [source(Effect.succeed({ tools: [{ ...rates, summarize: "result.row" }] }))]
      assert.deepStrictEqual(yield* messages({ tools }), [
        'error PL4001 the tool "look" of the source "shelf": summarize: result has no field "row"',
      ])
    }),
  )

  it.effect("in a catalog alone may read what its sources may have", () =>
    Effect.gen(function* () {
      const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "catalog.yaml")
      const found = (expression: string) => {
        writeFileSync(
          path,
          catalog(`  - { name: look, summary: Looks., summarize: '${expression}' }`),
        )
        return Effect.map(checkFile(path), ({ diagnostics }) => diagnostics.map(({ code }) => code))
      }
      assert.deepStrictEqual(yield* found("result.title + params.of"), [])
      assert.deepStrictEqual(yield* found("results.title"), ["PL1101"])
    }),
  )
})

describe("what a tool asks before a call", () => {
  const pays = tool("pay", {
    params: {
      type: "object",
      properties: { to: { type: "string" }, amount: { type: "integer" } },
      required: ["amount"],
      additionalProperties: false,
    },
  })
  const fields = {
    type: "object",
    properties: { total: { type: "string" }, fee: { type: "string" } },
    additionalProperties: false,
  }
  const bank = (more: Partial<Tool> = {}, preview?: ToolSource["preview"]): Components => ({
    tools: [
      {
        ...source(Effect.succeed({ tools: [{ ...pays, ...more }] })),
        ...(preview === undefined ? {} : { preview }),
      },
    ],
  })
  const entry = (keys: string, components = bank()) =>
    messages(components, `  - name: pay\n    summary: Pays.\n    ${keys}`)
  const requires = (that: string) => entry(`requires: [{ that: ${that}, message: No. }]`)

  it.effect("is typed by its params, the calls of the run and the session", () =>
    Effect.gen(function* () {
      for (const that of [
        "params.amount > 1",
        "\"has(params.to) ? params.to != '' : true\"",
        `"!calls.exists(c, c.tool == 'quote' && c.ok && c.entities.exists(e, e.id == string(params.amount)))"`,
        `"session.entities.exists(e, e.turn > 1 && e.type == 'quote') && session.state.place == 1"`,
      ]) {
        assert.deepStrictEqual(yield* requires(that), [], that)
      }
      assert.deepStrictEqual(yield* requires("params.amuont > 1"), [
        '6:31 PL1201 params has no field "amuont"',
      ])
      assert.deepStrictEqual(yield* requires("params.to != ''"), [
        "6:31 PL1206 params.to may be missing",
      ])
      assert.deepStrictEqual(yield* requires("params.amount"), [
        "6:24 PL1204 expected true or false, this is a whole number",
      ])
      assert.deepStrictEqual(yield* requires(`"calls.exists(c, c.name == 'quote')"`), [
        '6:43 PL1201 c has no field "name"',
      ])
      assert.deepStrictEqual(yield* requires("result.ok"), [
        '6:24 PL1101 there is nothing called "result" here',
      ])
    }),
  )

  it.effect("has a message in a language, and names fields that an approval shows", () =>
    Effect.gen(function* () {
      const preview = () => Effect.succeed({})
      const computed = bank({ approval_fields: fields }, preview)
      assert.deepStrictEqual(
        yield* entry("approval: { fee: { es: comisión }, total: all }", computed),
        [],
      )
      assert.deepStrictEqual(yield* entry("approval: { amount: sum }", computed), [
        '6:17 PL0101 an approval of the tool shows no field "amount"',
      ])
      assert.deepStrictEqual(yield* entry("approval: { amount: sum, fee: fee }"), [
        '6:30 PL0101 an approval of the tool shows no field "fee"',
      ])
      assert.deepStrictEqual(yield* entry("requires: [{ that: params.amount > 1 }]"), [
        '6:16 PL0102 the key "message" is missing',
      ])
    }),
  )

  it.effect("is reported of a source that declares fields and cannot compute them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* messages(bank({ approval_fields: fields })), [
        'error PL4001 the tool "pay" of the source "shelf": approval_fields: the source has no `preview` that gives them',
      ])
      assert.deepStrictEqual(yield* messages(bank({}, 1 as never)), [
        'error PL4001 the plugin "test" is malformed: tools "shelf": `preview` is a number, not a function',
      ])
    }),
  )

  it.effect("is what its source and its catalog require, both", () =>
    Effect.gen(function* () {
      const own = { that: "params.amount > 0", message: "Own." }
      const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
      writeFileSync(
        path,
        "apiVersion: planloom/v1\nkind: Workflow\nname: test\nuse: { files: [catalog.yaml] }\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n",
      )
      writeFileSync(
        join(path, "../catalog.yaml"),
        catalog(
          "  - { name: pay, summary: Pays., requires: [{ that: params.amount < 9, message: More. }] }",
        ),
      )
      const plugin = definePlugin({
        id: "test",
        summary: "Test.",
        components: { ...bank({ requires: [own] }), stages: [echo] },
      })
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      assert.deepStrictEqual(pipeline.tools.get("pay")?.tool.requires, [
        own,
        { that: "params.amount < 9", message: "More." },
      ])
    }),
  )
})

describe("a tool source whose list changes", () => {
  let between: Effect.Effect<unknown> = Effect.void
  const callLook = stageKind<JsonObject>({
    id: "call_look",
    summary: "Names the available tools, before and after a change.",
    input: { type: "object" },
    output: true,
    run: (_, context) => {
      const names = Effect.sync(() => context.tools.map(({ name }) => name).join())
      return Effect.map(Effect.all([names, between, names]), ([before, , after]) => [before, after])
    },
  })

  it.effect("gives later runs the latest list, and a stage keeps that with which it started", () =>
    Effect.gen(function* () {
      const changes = yield* Queue.unbounded<void>()
      const lists: Array<Deferred.Deferred<ReadonlyArray<Tool>>> = []
      let listed = 0
      const asked = yield* Queue.unbounded<number>()
      const live: ToolSource = {
        ...source(
          Effect.suspend(() => {
            const at = listed++
            Queue.offerUnsafe(asked, at)
            return at === 0
              ? Effect.succeed({ tools: [tool("first")] })
              : Effect.map(Deferred.await(lists[at]!), (tools) => ({ tools }))
          }),
        ),
        changes: Stream.fromQueue(changes),
      }
      for (let at = 0; at < 3; at++) lists.push(yield* Deferred.make<ReadonlyArray<Tool>>())
      const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
      writeFileSync(
        path,
        `apiVersion: planloom/v1
kind: Workflow
name: test
stages: [{ id: a, uses: call_look }]
outputs: { tools: "\${{ stages.a.output }}" }
`,
      )
      const plugin = definePlugin({
        id: "test",
        summary: "Test.",
        components: { stages: [callLook], tools: [live] },
      })
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      const tools = Effect.map(run(pipeline, {}), ({ outputs }) => outputs["tools"])
      assert.strictEqual(yield* Queue.take(asked), 0)
      between = Effect.gen(function* () {
        yield* Queue.offer(changes, undefined)
        assert.strictEqual(yield* Queue.take(asked), 1)
        yield* Queue.offer(changes, undefined)
        assert.strictEqual(yield* Queue.take(asked), 2)
        yield* Deferred.succeed(lists[2]!, [tool("third")])
        yield* settled
      })
      assert.deepStrictEqual(yield* tools, ["first", "first"])
      between = Effect.andThen(Deferred.succeed(lists[1]!, [tool("second")]), settled)
      assert.deepStrictEqual(yield* tools, ["third", "third"])
      between = Effect.void
      assert.deepStrictEqual(yield* tools, ["third", "third"])
    }),
  )
})

/** Lets fibers that can continue do so. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("the lists of several sources", () => {
  const both = (first: ToolSource["list"], second: ToolSource["list"]) => {
    const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
    writeFileSync(
      path,
      "apiVersion: planloom/v1\nkind: Workflow\nname: test\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n",
    )
    const plugin = definePlugin({
      id: "test",
      summary: "Two sources.",
      components: {
        stages: [echo],
        tools: [
          { ...source(first), id: "first" },
          { ...source(second), id: "second" },
        ],
      },
    })
    return load(path, { extraPlugins: [plugin] })
  }

  it.effect("are read at the same time, and stand in declared order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [a, b] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // Each ends after the other has begun; the first one last.
        const first = Effect.as(Effect.andThen(Deferred.succeed(a, undefined), Deferred.await(b)), {
          tools: [tool("one"), tool("same", { summary: "Of the first." })],
        })
        const second = Effect.as(
          Effect.andThen(Deferred.await(a), Deferred.succeed(b, undefined)),
          { tools: [tool("two"), tool("same", { summary: "Of the second." })] },
        )
        const { pipeline } = yield* both(first, second)
        assert.deepStrictEqual([...pipeline.tools.keys()], ["one", "same", "two"])
        assert.strictEqual(pipeline.tools.get("same")?.tool.summary, "Of the second.")
      }),
    ),
  )

  it.effect("are reported for each source that has none, beside the tools of the others", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const down = Effect.fail(
          new ToolFailed({ tool: "", class: "unavailable", message: "no route" }),
        )
        const { pipeline } = yield* both(down, Effect.succeed({ tools: [tool("two")] }))
        assert.deepStrictEqual([...pipeline.tools.keys()], ["two"])
        const lists: Array<string> = []
        yield* run(
          pipeline,
          {},
          {
            onEvent: (event) => {
              if (event.type === "ToolListFailed") lists.push(`${event.source} ${event.reason}`)
            },
          },
        )
        assert.deepStrictEqual(lists, [
          "first cannot list its tools: no route; only the catalogs' entries are known",
        ])
      }),
    ),
  )
})
