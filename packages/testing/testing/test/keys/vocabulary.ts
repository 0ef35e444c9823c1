/** Examples of the keys of vocabularies, and of the stage kinds that read and answer questions about tables. */
import analyst, { analyses, outputs } from "@planloom/analyst"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const at = "stages.0.with"

const profile = {
  rows: 40,
  columns: [
    { name: "region", type: "string", distinct: ["North", "South"] },
    { name: "date", type: "date", min: "2022-01-01", max: "2024-12-31" },
    { name: "revenue", type: "number", min: 3, max: 90 },
    { name: "units", type: "integer", min: 1, max: 24 },
  ],
}

const stage = (uses: string, inputs: JsonObject, more: Partial<World> = {}, head = ""): World => {
  const world = flow(
    `${head}
stages: [{ id: one, uses: ${uses} }]
outputs: { one: { value: "\${{ stages.one.output }}" } }`,
    { components: () => analyst.components ?? {}, ...more },
  )
  const written = world.files["flow.yaml"] as { readonly stages: readonly [JsonObject] }
  const stages = [{ ...written.stages[0], with: inputs }]
  return { ...world, files: { ...world.files, "flow.yaml": { ...written, stages } } }
}

/** Reads a question with the words of `words.yaml`, however little of it they explain. */
const reading = (text: string, words = ""): World =>
  stage(
    "extract",
    { text, profile, confidence: { threshold: 0 } },
    { files: { "words.yaml": file("Vocabulary", `name: words\n${words}`) } },
    "use: { files: [words.yaml] }",
  )

/** Two words of no meaning: a value gives a meaning to one of them. */
const [one, other] = [["zorkish"], ["flumish"]]

const words = (question: string, keys: ReadonlyArray<string>): ReadonlyArray<KeyExample> =>
  examples(
    { owner: "Vocabulary", file: "words.yaml", world: reading(question) },
    keys.map((key) => [key, one, other]),
  )

const grains = ["hour", "day", "week", "month", "quarter", "year"]

/** One word with two meanings of one kind. */
const meanings = (key: string, first: string, second: string) =>
  [key, { [first]: one }, { [second]: one }] as const

const asking = (text: string, more: JsonObject = {}) => stage("extract", { text, profile, ...more })

const requirements = {
  metrics: ["revenue"],
  group_by: ["region"],
  time: { column: "", grain: "unknown" },
  analysis: ["total"],
  outputs: [],
  constraints: [],
  unknown: [],
}

const table = (north: number): Json => [
  { region: "North", revenue: north },
  { region: "South", revenue: 3 },
]

const plan = (tool: string): Json => ({
  steps: [{ id: "sums", tool, inputs: {}, params: {}, satisfies: [] }],
})

const results = { sums: table(5), kept: table(6) }

const answering = (head = "", more: Partial<World> = {}) =>
  stage(
    "respond",
    { question: "How much?", results, requirements, plan: plan("rank") },
    {
      tools: {
        rank: { result: 1, tool: { capabilities: ["top_n"] } },
        keep: { result: 1, tool: { capabilities: ["filter"] } },
      },
      ...more,
    },
    head,
  )

export const vocabularyExamples: ReadonlyArray<KeyExample> = [
  ...words("revenue zorkish, flumish by region", [
    ...analyses.filter((label) => label !== "rate").map((label) => `analysis.${label}`),
    ...grains.map((grain) => `grains.${grain}`),
    ...outputs.map((output) => `outputs.${output}`),
    "silent",
    "rows",
  ]),
  ...words("what zorkish of the rows flumish is North", ["analysis.rate"]),
  ...words("revenue by region zorkish chart flumish table", ["negations"]),
  ...examples({ owner: "Vocabulary", file: "words.yaml", world: reading("zorkish by region") }, [
    ["synonyms", [["zorkish", "revenue"]], [["zorkish", "units"]]],
    ["most", { zorkish: "revenue" }, { zorkish: "units" }],
    ["least", { zorkish: "revenue" }, { zorkish: "units" }],
    meanings("analysis", "total", "average"),
    meanings("grains", "month", "year"),
    meanings("outputs", "chart", "table"),
    meanings("charts", "bar", "pie"),
  ]),
  ...examples(
    { owner: "Vocabulary", file: "words.yaml", world: reading("total revenue by region") },
    [["base", "none", byDefault("english")]],
  ),
  ...examples({ owner: "extract", world: asking("total sales by region"), at }, [
    ["text", "total units by region", "average units by region"],
    ["profile", profile, { columns: profile.columns.slice(1) }],
    ["vocabulary", { synonyms: [["sales", "units"]] }, { silent: ["sales"] }],
  ]),
  ...examples({ owner: "extract", world: asking("total zorkish, revenue by region"), at }, [
    ["confidence", { threshold: 0.8 }, { threshold: 0.95 }],
  ]),
  ...examples(
    {
      owner: "extract",
      world: asking("total revennue by region", { confidence: { threshold: 0.99 } }),
      at,
    },
    [
      ["confidence.threshold", 0.9, 0.98],
      ["confidence.clarify", "Which one?", "What do you mean?"],
    ],
  ),
  ...examples({ owner: "respond", world: answering(), at }, [
    ["results", { sums: table(7) }, { sums: table(8) }],
    ["requirements", requirements, { ...requirements, unknown: ["tea"] }],
    ["plan", plan("rank"), plan("keep")],
    ["notes", ["Tea is hot"], ["Tea is cold"]],
  ]),
  ...examples(
    {
      owner: "respond",
      world: answering("defaults: { model: scripted/one }", {
        replies: many({ text: "Enough." }),
      }),
      at,
    },
    [["question", "How many?", "How much tea?"]],
  ),
]
