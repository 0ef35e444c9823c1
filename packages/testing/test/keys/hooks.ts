/** Examples of the keys `hooks` and `experiments`, of embeddings and of where runs are recorded. */
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { projectStore } from "@planloom/embed"
import {
  definePlugin,
  hook,
  StageFailed,
  type Embedder,
  type Json,
  type RunStore,
} from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import { observeRuns, type World } from "./World.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const said = hook<"after_stage", { readonly add?: string; readonly takes?: number }>({
  id: "add",
  summary: "Adds a word to the output.",
  point: "after_stage",
  kind: "transform",
  input: {
    type: "object",
    properties: { add: { type: "string" }, takes: { type: "integer" } },
    additionalProperties: false,
  },
  run: ({ output }, { with: { add = "more", takes = 0 } }) =>
    Effect.as(Effect.sleep(takes), { output: `${String(output)} ${add}` }),
})

const broken = hook({
  id: "broken",
  summary: "Fails.",
  point: "after_stage",
  kind: "observe",
  run: () => Effect.fail(new StageFailed({ class: "internal", message: "broken" })),
})

const other = hook<"after_stage">({
  id: "other",
  summary: "Replaces the output.",
  point: "after_stage",
  kind: "transform",
  run: () => ({ output: "other" }),
})

const hooked = (hooks: string, stage = ""): World =>
  flow(
    `${hooks}
stages: [{ id: one, uses: work, with: { value: tea }${stage} }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    { components: () => ({ hooks: [said, broken, other] as never }) },
  )

const places = [
  { owner: "workflow hooks", at: "hooks.0", world: (use: string) => hooked(`hooks: [{ ${use} }]`) },
  {
    owner: "stage hooks",
    at: "stages.0.hooks.0",
    world: (use: string) => hooked("", `, hooks: [{ ${use} }]`),
  },
]

export const hookExamples: ReadonlyArray<KeyExample> = places.flatMap(({ at, owner, world }) => [
  ...examples({ owner, at, world: world("use: add") }, [
    ["use", "add", "other"],
    ["with", { add: "milk" }, { add: "sugar" }],
    ["when", "draft.output == 'milk'", byDefault("draft.output == 'tea'")],
  ]),
  ...examples({ owner, at, world: world("use: add, with: { takes: 9000 }") }, [
    ["timeout", "1s", "2s"],
  ]),
  ...examples({ owner, at, world: world("use: broken") }, [
    ["on_error", "fail", byDefault("skip")],
  ]),
])

const experiment = (more: string, runs: Partial<World> = {}): World =>
  flow(
    `
user: { type: object, properties: { id: { type: string } } }
session: { request: "\${{ 'hi' }}", assistant: "\${{ stages.one.output }}" }
experiments: { tone: { variants: { plain: 50, warm: 50 }${more} } }
stages: [{ id: one, uses: work, with: { value: "\${{ experiments.tone }}" } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`,
    { user: { id: "ada" }, ...runs },
  )

const turns = Array.from({ length: 8 }, () => ({}))

/** Every unit is assigned to one variant, and then to the other. */
const changed: World = {
  ...experiment(""),
  observe: async (folder) => {
    const path = join(folder, "flow.yaml")
    const written = readFileSync(path, "utf8")
    const shown: Array<Json> = []
    for (const percentages of ['"plain":100,"warm":0', '"plain":0,"warm":100']) {
      writeFileSync(path, written.replace('"plain":50,"warm":50', percentages))
      const world = experiment("", { user: { id: basename(folder) } })
      shown.push(...(await observeRuns(world, folder)).ends.map(({ outputs }) => outputs ?? null))
    }
    return { shown }
  },
}

export const experimentExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "workflow experiments", world: experiment("") }, [
    ["*.variants", "experiments.tone.variants", { plain: 100, warm: 0 }, { plain: 0, warm: 100 }],
  ]),
  ...examples({ owner: "workflow experiments", world: experiment("", { turns }) }, [
    ["*.unit", "experiments.tone.unit", "run", "session"],
  ]),
  ...examples({ owner: "workflow experiments", world: experiment(", unit: run", { turns }) }, [
    ["*.salt", "experiments.tone.salt", "spring", "autumn"],
  ]),
  ...examples({ owner: "workflow experiments", world: changed }, [
    ["*.sticky", "experiments.tone.sticky", true, byDefault(false)],
  ]),
]

/** The vector of a text says which of these words it has. */
const embedder = (id: string, words: ReadonlyArray<string>): Embedder => ({
  id,
  summary: "Counts words.",
  model: `test/${id}`,
  dimensions: words.length,
  embed: (texts) =>
    Effect.succeed({
      vectors: texts.map(
        (text) => new Float32Array(words.map((word) => (text.includes(word) ? 1 : 0.01))),
      ),
    }),
})

const embedding = flow(
  `
defaults: { model: scripted/one }
stages: [{ id: one, uses: agent, with: { task: Find., tools: [{ search: a drink, limit: 1 }] } }]
`,
  {
    replies: many({ text: "done" }),
    tools: {
      brew: { tool: { summary: "A hot drink." } },
      pour: { tool: { summary: "A cold drink." } },
    },
    components: () => ({
      embedders: [embedder("first", ["hot"]), embedder("other", ["cold", "hot"])],
    }),
  },
)

const store = (id: string) =>
  definePlugin({
    id,
    summary: "Records.",
    provides: { stores: [id] },
    setup: (_, { secret }) =>
      Effect.succeed({
        stores: [
          { id, summary: `${id} ${secret("FIRST")} ${secret("OTHER")}` } as unknown as RunStore,
        ],
      }),
  })

const recording = (runs: string): World => ({
  files: {
    "planloom.yaml": file("Project", `plugins: { first: {}, other: {} }\nruns: { ${runs} }`),
  },
  observe: async (folder) => ({
    shown: [
      await Effect.runPromise(
        Effect.scoped(
          Effect.map(
            projectStore(folder, {
              plugins: {
                sqlite: async () => store("sqlite"),
                first: async () => store("first"),
                other: async () => store("other"),
              },
              secret: (name) => name.toLowerCase(),
            }),
            ({ summary }) => summary,
          ),
        ),
      ).catch((error: unknown) => String(error)),
    ],
  }),
})
export const recordExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "Workflow", world: embedding }, [["embeddings", "first", "other"]]),
  ...examples({ owner: "Project", file: "planloom.yaml", world: recording("") }, [
    ["runs", { store: "first" }, { store: "other" }],
    ["runs.store", "first", "other"],
  ]),
  ...examples({ owner: "Project", file: "planloom.yaml", world: recording("store: first") }, [
    ["runs.secrets", ["FIRST"], ["OTHER"]],
  ]),
]
