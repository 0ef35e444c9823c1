/** Examples of embeddings, of indexes and of where runs are recorded. */
import * as Effect from "effect/Effect"
import { projectStore } from "@planloom/embed"
import { definePlugin, type Embedder, type Index, type RunStore } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { examples, file, flow, many } from "./worlds.ts"

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

/** Finds the document at a place, whatever is asked. */
const placed = (id: string, at: number): Index => ({
  id,
  summary: "Finds by place.",
  build: (documents) =>
    Effect.succeed({
      search: () => Effect.succeed([{ id: documents.at(at)!.id, score: 1 }]),
      add: () => Effect.void,
      remove: () => Effect.void,
      size: () => documents.length,
    }),
})

const indexed: World = {
  ...embedding,
  components: () => ({ indexes: [placed("start", 0), placed("end", -1)] }),
}

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
  ...examples({ owner: "Workflow", world: indexed }, [["index", "start", "end"]]),
  ...examples({ owner: "Project", file: "planloom.yaml", world: recording("") }, [
    ["runs", { store: "first" }, { store: "other" }],
    ["runs.store", "first", "other"],
  ]),
  ...examples({ owner: "Project", file: "planloom.yaml", world: recording("store: first") }, [
    ["runs.secrets", ["FIRST"], ["OTHER"]],
  ]),
]
