/** Examples of the keys of the project file and of files about models. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definePlugin } from "@planloom/plugin/effect"
import { stubTools } from "@planloom/testing"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { asking, byDefault, examples, file, flow, many } from "./worlds.ts"

const withProject = (body: string, world: World, files: World["files"] = {}): World => ({
  ...world,
  files: { ...world.files, ...files, "planloom.yaml": file("Project", body) },
})

/** A plugin whose config names its tool. */
const configured = definePlugin({
  id: "named",
  summary: "A tool.",
  config: Schema.Struct({ tool: Schema.optional(Schema.String) }),
  setup: ({ tool = "nameless" }) =>
    Effect.succeed({ tools: [stubTools({ [tool]: { result: 1 } }, { id: "named" })] }),
})

const plugged = flow(
  `
use: { plugins: [named] }
defaults: { model: scripted/one }
stages: [{ id: see, uses: agent, with: { task: Look., tools: [{ search: tool, limit: 5 }] } }]
`,
  {
    replies: many({ text: "done" }),
    tools: { some_tool: {} },
    load: { plugins: { named: async () => configured } },
  },
)

const asked = asking("defaults: { model: main }")
const inProd = { ...asked, load: { environment: "prod" } }

const facts = (models: string) => file("Models", `models: { ${models} }`)
const priced = asking("defaults: { model: scripted/one }", "", {
  files: {
    "a.yaml": facts("scripted/one: { price: { input: 1, output: 2 } }"),
    "b.yaml": facts("scripted/one: { price: { input: 3, output: 4 } }"),
  },
})

/** One model with facts, asked once. */
const known = (
  fact: string,
  usage: { input: number; output: number; cached?: number; written?: number } = {
    input: 1000,
    output: 1000,
  },
  more: {
    readonly stage?: string
    readonly head?: string
    readonly uses?: string
    readonly settings?: string
  } = {},
): World =>
  flow(
    `${more.head ?? ""}
defaults: { model: main }
models: { main: { try: [scripted/one], temperature: 0, seed: 1${more.settings ?? ""} } }
stages: [{ id: ask, ${more.uses ?? "uses: generate, with: { task: Speak. }"}${more.stage ?? ""} }]
`,
    {
      files: {
        "planloom.yaml": file("Project", "model_facts: [models.yaml]"),
        "models.yaml": facts(`scripted/one: { ${fact} }`),
      },
      replies: many({ json: { n: 1 }, usage, delay: 1000 }),
      tools: { weigh: { result: 1 } },
    },
  )

const price = "price: { input: 1, output: 2 }"
const settings = { owner: "Models.models.*", file: "models.yaml", at: "models.scripted/one" }
const shaped = {
  uses: "uses: generate, with: { task: Speak., schema: { type: object, properties: { n: { type: integer } } } }",
}

export const projectExamples: ReadonlyArray<KeyExample> = [
  ...examples(
    { owner: "Project", file: "planloom.yaml", world: withProject("models: {}", plugged) },
    [["plugins", { named: { tool: "first_tool" } }, { named: { tool: "other_tool" } }]],
  ),
  ...examples({ owner: "Project", file: "planloom.yaml", world: withProject("{}", asked) }, [
    ["models", { main: "scripted/one" }, { main: "scripted/two" }],
  ]),
  ...examples(
    {
      owner: "Project",
      file: "planloom.yaml",
      world: withProject("environments: { prod: {} }", inProd),
    },
    [
      [
        "environments",
        { prod: { set: { "defaults.model": "scripted/one" } } },
        { prod: { set: { "defaults.model": "scripted/two" } } },
      ],
      [
        "environments.*.set",
        "environments.prod.set",
        { "defaults.model": "scripted/one" },
        { "defaults.model": "scripted/two" },
      ],
      [
        "environments.*.models",
        "environments.prod.models",
        { main: "scripted/one" },
        { main: "scripted/two" },
      ],
    ],
  ),
  ...examples({ owner: "Project", file: "planloom.yaml", world: withProject("{}", priced) }, [
    ["model_facts", ["a.yaml"], ["b.yaml"]],
  ]),
  ...examples({ owner: "Models", file: "models.yaml", world: known(price) }, [
    [
      "models",
      { "scripted/*": { price: { input: 1, output: 1 } } },
      { "scripted/one": { price: { input: 2, output: 2 } } },
    ],
  ]),
  ...examples({ ...settings, world: known("") }, [
    ["price", { input: 1, output: 2 }, { input: 3, output: 4 }],
    ["refuses", ["temperature"], ["seed"]],
  ]),
  ...examples(
    { ...settings, world: known(price, { input: 1000, output: 1000, cached: 500, written: 200 }) },
    [
      ["price.input", 3, 4],
      ["price.output", 3, 4],
      ["price.cached", 0.1, 0.2],
      ["price.written", 5, 6],
      ["price.long", { above: 10, input: 5, output: 6 }, { above: 10, input: 7, output: 8 }],
    ],
  ),
  ...examples(
    {
      ...settings,
      world: known("price: { input: 1, output: 2, long: { above: 10, input: 5, output: 6 } }", {
        input: 1000,
        output: 1000,
        cached: 500,
        written: 200,
      }),
    },
    [
      ["price.long.above", 500, 5000],
      ["price.long.input", 8, 9],
      ["price.long.output", 8, 9],
      ["price.long.cached", 0.1, 0.2],
      ["price.long.written", 0.1, 0.2],
    ],
  ),
  ...examples({ ...settings, world: known("", undefined, shaped) }, [
    ["structured", "tool", "text"],
  ]),
  ...examples(
    {
      ...settings,
      world: known("", undefined, { uses: "uses: agent, with: { task: Weigh., tools: [weigh] }" }),
    },
    [["capabilities", ["json_schema"], ["tools"]]],
  ),
  ...examples(
    {
      ...settings,
      world: known(
        "",
        { input: 10, output: 10 },
        {
          head: "policies: { budget: { tokens: 12000 } }",
          stage: ', for_each: { in: "[1, 2, 3]" }',
        },
      ),
    },
    [["context", 5000, 10000]],
  ),
  ...examples(
    {
      ...settings,
      world: known("capabilities: [tools]", undefined, { settings: ", reasoning: none" }),
    },
    [["reasoning", ["none"], byDefault()]],
  ),
  ...examples({ ...settings, world: known("", undefined, { settings: ", max_tokens: 5000" }) }, [
    ["max_output", 100, 4000],
  ]),
  ...examples(
    { ...settings, world: known("", undefined, { head: "policies: { budget: { tokens: 1 } }" }) },
    [["tokenizer", "o200k_base", byDefault()]],
  ),
]
