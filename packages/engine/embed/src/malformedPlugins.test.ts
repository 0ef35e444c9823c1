/** Plugins that throw, are malformed or return something else: named with the component and what is wrong. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  definePlugin,
  StageFailed,
  type Components,
  type Plugin,
  type RunEvent,
} from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { echo } from "../../core/test/inline.ts"
import { check, load } from "./Workflow.ts"

const basics = definePlugin({ id: "basics", summary: "Echo.", components: { stages: [echo] } })

const workflow = (body = "stages: [{ id: a, uses: echo, with: { value: 1 } }]\n") => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1\nkind: Workflow\nname: test\nuse: { plugins: [broken] }\n${body}`,
  )
  return path
}

/** Messages about a plugin, declared by the workflow or added by the host. */
const messages = Effect.fnUntraced(function* (plugin: Plugin, purpose: "check" | "load" = "check") {
  const declared = { plugins: { broken: async () => plugin }, extraPlugins: [basics] }
  const added = {
    plugins: { broken: async () => definePlugin({ id: "none", summary: "None." }) },
    extraPlugins: [basics, plugin],
  }
  const found: Array<ReadonlyArray<string>> = []
  for (const options of [declared, added]) {
    const diagnostics =
      purpose === "check"
        ? (yield* check(workflow(), options)).diagnostics
        : yield* Effect.scoped(
            Effect.match(load(workflow(), options), {
              onFailure: (invalid) => invalid.diagnostics,
              onSuccess: () => [],
            }),
          )
    found.push(diagnostics.map(({ code, message }) => `${code} ${message}`))
  }
  return found
})

/** Both ways of adding a plugin find the same. */
const both = (message: string) => [[message], [message]]

const given = (components: unknown) =>
  definePlugin({ id: "broken", summary: "Broken.", components: components as Components })

const malformed = [
  [
    "components that are a list",
    [],
    "its components are a list, not an object such as { stages: [...] }",
  ],
  [
    "an unknown kind of component",
    { stage: [] },
    'there is no component kind "stage"; did you mean "stages"?',
  ],
  ["a kind that is not a list", { stages: {} }, "its stages are an object, not a list"],
  [
    "a stage kind without an id",
    { stages: [{ summary: "S" }] },
    "stages [0]: `id` is missing, not a text",
  ],
  [
    "a stage kind whose run is no function",
    { stages: [{ id: "s", summary: "S", input: {}, output: {}, run: "now" }] },
    'stages "s": `run` is a string, not a function',
  ],
  [
    "a stage kind without a strategy",
    { stages: [{ id: "s", summary: "S", input: {}, output: {} }] },
    'stages "s": it has no function `run`, `model`, `mechanical`; it needs one of them',
  ],
  [
    "a provider without generate and stream",
    { providers: [{ id: "p", summary: "P" }] },
    'providers "p": it has no function `generate`, `stream`; it needs one of them',
  ],
  [
    "a tool source whose list is a function",
    { tools: [{ id: "t", summary: "T", list: () => [], call: () => null }] },
    'tools "t": `list` is a function, not an Effect; for an async function use toolSource of @planloom/plugin',
  ],
  [
    "an event without a schema",
    { events: [{ name: "e", summary: "E" }] },
    'events "e": `schema` is missing, not a JSON Schema',
  ],
  ["null as a validator", { validators: [null] }, "validators [0]: it is null, not an object"],
  [
    "an embedder without dimensions",
    { embedders: [{ id: "e", summary: "E", model: "a/b", embed: () => null }] },
    'embedders "e": `dimensions` is missing, not an integer',
  ],
] as const

describe("a malformed plugin", () => {
  for (const [title, components, fault] of malformed) {
    it.effect(`with ${title} is reported, declared or added by the host`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* messages(given(components)),
          both(`PL4001 the plugin "broken" is malformed: ${fault}`),
        )
      }),
    )
  }

  it.effect("does not take the other components of the plugin with it", () =>
    Effect.gen(function* () {
      const found = yield* messages(given({ stages: [{ id: "other" }, { ...echo, id: "fine" }] }))
      assert.lengthOf(found[0]!, 1)
    }),
  )

  it.effect("is reported for another version of the contract", () =>
    Effect.gen(function* () {
      const [declared, added] = yield* messages({ ...given({}), apiVersion: 7 })
      assert.match(declared![0]!, /cannot be loaded: it is made for version 7/)
      assert.match(added![0]!, /a plugin of the host cannot be used: it is made for version 7/)
    }),
  )
})

describe("the setup of a plugin", () => {
  const withSetup = (setup: unknown) =>
    definePlugin({ id: "broken", summary: "Broken.", setup: setup as () => never })

  it.effect("that throws is reported, declared or added by the host", () =>
    Effect.gen(function* () {
      const plugin = withSetup(() => {
        throw new RangeError("no port left")
      })
      assert.deepStrictEqual(
        yield* messages(plugin, "load"),
        both('PL4001 the plugin "broken" could not be set up: RangeError: no port left'),
      )
    }),
  )

  it.effect("that returns a promise is reported with the style to use", () =>
    Effect.gen(function* () {
      const [[message]] = (yield* messages(
        withSetup(async () => ({})),
        "load",
      )) as [[string]]
      assert.include(message, "`setup` returned no Effect")
    }),
  )

  it.effect("that returns malformed components is reported", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* messages(
          withSetup(() => Effect.succeed({ stages: [null] })),
          "load",
        ),
        both('PL4001 the plugin "broken" is malformed: stages [0]: it is null, not an object'),
      )
    }),
  )

  it.effect("runs for a plugin of the host, which fails with its own failure", () =>
    Effect.gen(function* () {
      const plugin = withSetup(() =>
        Effect.fail(new StageFailed({ class: "unavailable", message: "no database" })),
      )
      assert.deepStrictEqual(
        yield* messages(plugin, "load"),
        both('PL4001 the plugin "broken" could not be set up: no database'),
      )
    }),
  )

  it.effect("does not run for a plugin of the host whose config is incomplete", () =>
    Effect.gen(function* () {
      const plugin = definePlugin({
        id: "broken",
        summary: "Broken.",
        config: Schema.Struct({ folder: Schema.String }),
        setup: () => Effect.die("it ran"),
      })
      const [declared, added] = yield* messages(plugin, "load")
      assert.match(declared![0]!, /PL4002 the config of "broken" does not fit/)
      assert.deepStrictEqual(added, declared)
    }),
  )
})

describe("a component that throws in a run", () => {
  const events = Effect.fnUntraced(function* (components: Components, body: string) {
    const plugin = definePlugin({ id: "broken", summary: "Broken.", components })
    const path = workflow(body)
    const all: Array<RunEvent> = []
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { pipeline } = yield* load(path, { plugins: { broken: async () => plugin } })
        yield* Effect.ignore(run(pipeline, {}, { onEvent: (event) => void all.push(event) }))
      }),
    )
    return all
  })

  it.effect("leaves its own stack in the event of its stage", () =>
    Effect.gen(function* () {
      const stages = [
        {
          ...echo,
          id: "burst",
          run: function burstingStrategy(): never {
            throw new Error("too full")
          },
        },
      ]
      const all = yield* events(
        { stages },
        "stages: [{ id: a, uses: burst, with: { value: 1 } }]\n",
      )
      const failure = all.flatMap((one) => (one.type === "StageFailed" ? [one.failure] : []))[0]
      assert.include(failure?.message, "too full")
      assert.include(
        (failure?.detail as { readonly stack?: string } | undefined)?.stack,
        "burstingStrategy",
      )
    }),
  )
})
