/** Every built-in stage kind against the suite, on real tools and a real table. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { Json, JsonObject, StageKind } from "@planloom/plugin/effect"
import { embedded } from "@planloom/retrieval"
import analyst, { tables } from "@planloom/analyst"
import stages from "@planloom/stages"
import { closeSessions, source } from "@planloom/tools-data"
import { deskIntents, deskTools } from "./desk.ts"
import { stageKindSuite } from "../src/conformance/stageKindSuite.ts"
import type { StageKindCase } from "../src/conformance/stageKindSuite.ts"

const folder = mkdtempSync(join(tmpdir(), "kinds-"))
const root = join(import.meta.dirname, "../../../..")
const templates = ["comparative", "time_series_grouped"].map((name) =>
  join(root, `templates/plans/${name}.yaml`),
)
const data = join(folder, "shop.csv")
writeFileSync(
  data,
  "region,month,revenue\nNorth,2024-01-01,10\nNorth,2024-02-01,12.5\nSouth,2024-01-01,7\nSouth,2024-02-01,8\n",
)
const doubling = join(folder, "doubling.yaml")
writeFileSync(
  doubling,
  JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Workflow",
    name: "doubling",
    inputs: { n: { type: "number" } },
    stages: [
      { id: "twice", uses: "generate", with: { task: "say", context: { n: "${{ inputs.n }}" } } },
    ],
    outputs: { n: { type: "number", value: "${{ inputs.n * 2.0 }}" } },
  }),
)

const described = await Effect.runPromise(
  source.call({
    tool: "describe",
    params: { path: data },
    inputs: {},
    key: "conformance",
    workspace: folder,
    roots: [data],
    index: () => Effect.die("there is no index"),
    user: {},
    variant: () => undefined,
    askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
    note: () => Effect.void,
    progress: () => Effect.void,
  }),
)
const profile = described.value as JsonObject

afterAll(() => {
  closeSessions()
  rmSync(folder, { recursive: true, force: true })
})

const requirements = {
  metrics: ["revenue"],
  group_by: ["region"],
  time: { column: "", grain: "unknown" },
  analysis: ["total"],
  outputs: [],
  constraints: [],
  unknown: [],
}
const step = {
  id: "grouped",
  tool: "aggregate",
  inputs: { table: "source" },
  params: { group_by: ["region"], metrics: ["revenue"], agg: "sum" },
  satisfies: ["metrics:revenue", "group_by:region", "analysis:total"],
}
const plan = { steps: [step] }
/** Its step gave `result`. */
const reflected = (result: Json): JsonObject => ({
  request: "Total by region.",
  plan,
  results: {
    steps: { [step.id]: result },
    calls: [{ step: step.id, tool: step.tool, params: step.params, ok: true, summary: "rows" }],
  },
})
const grouped = {
  grouped: {
    type: "table",
    columns: [
      { name: "region", type: "string" },
      { name: "revenue", type: "number" },
    ],
    rows: 2,
    preview: [
      { region: "North", revenue: 22.5 },
      { region: "South", revenue: 15 },
    ],
  },
}
const fileKinds = stages.components?.fileKinds ?? []
const onTools = {
  components: { tools: [source], indexes: [embedded], domains: [tables], fileKinds },
  files: templates,
}
const onDesk = { components: { indexes: [embedded] }, tools: deskTools }
/** As a model writes it. */
const reply = {
  intent: "booking",
  reasoning_summary: "By its words.",
  chat_response: "One moment.",
  candidate_tools: ["book_room"],
  arguments: { nights: 2 },
  confidence: 0.9,
}
const turn = { ...reply, each: false, settled: true, open: [] }
const has = (output: Json, key: string): Json => (output as JsonObject)[key] ?? null

const kinds: ReadonlyArray<StageKind> = [stages, analyst].flatMap(
  ({ components }) => components?.stages ?? [],
)

const cases: { readonly [kind: string]: ReadonlyArray<StageKindCase> } = {
  extract: [
    {
      name: "reads a question mechanically",
      with: { text: "Total revenue by region", profile },
      check: (output) => assert.deepStrictEqual(has(output, "requirements"), requirements),
    },
    {
      name: "asks back when it would have to guess",
      with: { text: "What is the churn rate?", profile },
      fails: "clarification",
    },
    {
      name: "reads a question with a model",
      with: { text: "Total revenue by region", profile },
      replies: [{ json: requirements }],
      check: (output) => assert.deepStrictEqual(has(output, "requirements"), requirements),
    },
    {
      name: "refuses a model's reply that does not fit",
      with: { text: "Total revenue by region", profile },
      replies: [{ json: { metrics: "revenue" } }],
      fails: "invalid_output",
    },
  ],
  narrow: [
    {
      ...onTools,
      name: "finds the tools for a comparison",
      with: { requirements, question: "Total revenue by region", limit: 4 },
      check: (output) => assert.include(JSON.stringify(has(output, "tools")), "aggregate"),
    },
  ],
  adapt: [
    {
      ...onTools,
      name: "fits a template mechanically",
      with: { requirements, tools: ["aggregate", "plot_bar"], profile },
      check: (output) => assert.deepStrictEqual(has(output, "uncovered"), []),
    },
    {
      ...onTools,
      name: "fits a template with a model",
      with: { requirements, tools: ["aggregate", "plot_bar"], profile },
      replies: [
        {
          json: {
            modifications: [
              {
                op: "modify",
                step: "grouped",
                rationale: "asked",
                params: step.params,
                satisfies: step.satisfies,
              },
              { op: "remove", step: "chart", rationale: "not asked" },
            ],
          },
        },
      ],
      check: (output) => assert.include(JSON.stringify(has(output, "plan")), '"aggregate"'),
    },
  ],
  cover: [
    {
      ...onTools,
      name: "passes a plan that does what was asked",
      with: { plan, requirements, profile },
      check: (output) => assert.strictEqual(has(output, "ok"), true),
    },
    {
      ...onTools,
      name: "says what a plan lacks",
      with: { plan: { steps: [] }, requirements },
      check: (output) =>
        assert.include(
          String(has(output, "text")),
          "Missing coverage: metrics=[revenue], group_by=[region], analysis=[total]",
        ),
    },
  ],
  reflect: [
    {
      ...onTools,
      name: "is done with what a plan found",
      with: reflected([1]),
      check: (output) => assert.strictEqual(has(output, "done"), true),
    },
    {
      ...onTools,
      name: "improves with a model a plan that found nothing",
      with: reflected([]),
      replies: [{ json: { strategy: "extend", plan: { steps: [] } } }],
      check: (output) =>
        assert.deepStrictEqual(has(output, "missing"), [
          { rule: "empty_results", reason: "aggregate found nothing", step: step.id },
        ]),
    },
  ],
  execute: [
    {
      ...onTools,
      name: "runs a plan on a table",
      with: { plan, source: profile["table"]! },
      check: (output) => assert.include(JSON.stringify(has(output, "last")), '"revenue":22.5'),
    },
    {
      name: "runs a plan on whatever its tools give",
      tools: {
        aggregate: {
          result: { rows: 2 },
          tool: { inputs: { table: "table" }, outputs: ["table"], capabilities: ["aggregate"] },
        },
      },
      with: { plan, source: { rows: 4 } },
      check: (output) => assert.deepStrictEqual(has(output, "last"), { rows: 2 }),
    },
    {
      name: "fails with its only step",
      tools: { aggregate: { fail: { class: "tool_error", message: "no memory" } } },
      with: { plan, source: {} },
      fails: "tool_error",
    },
  ],
  respond: [
    {
      ...onTools,
      name: "answers mechanically",
      with: { question: "Total revenue by region", results: grouped, requirements, plan },
    },
    {
      ...onTools,
      name: "answers with a model",
      with: { question: "Total revenue by region", results: grouped, requirements, plan },
      replies: [{ text: "North leads with 22.5." }],
      check: (output) => assert.strictEqual(has(output, "text"), "North leads with 22.5."),
    },
  ],
  agent: [
    {
      name: "answers after a tool call",
      tools: { count: { result: { n: 3 } } },
      with: { task: "Count the regions", tools: ["count"] },
      replies: [
        { tool_calls: [{ name: "count", arguments: { by: "region" } }] },
        { text: "There are three." },
      ],
      check: (output) => assert.strictEqual(has(output, "text"), "There are three."),
    },
    {
      name: "needs a model",
      tools: { count: { result: { n: 3 } } },
      with: { task: "Count the regions", tools: ["count"] },
      fails: "no_model",
    },
  ],
  route: [
    {
      name: "answers by the agent that takes over",
      with: {
        request: "Quote 10 dollars",
        start: "welcome",
        agents: { welcome: { description: "Greets." }, rates: { description: "Exchange rates." } },
      },
      replies: [
        { tool_calls: [{ name: "hand_over", arguments: { agent: "rates", reason: "a rate" } }] },
        { tool_calls: [{ name: "stay", arguments: {} }] },
        { text: "170 pesos." },
      ],
      check: (output) => {
        assert.strictEqual(has(output, "text"), "170 pesos.")
        assert.strictEqual(has(output, "agent"), "rates")
      },
    },
  ],
  generate: [
    {
      name: "says what it knows",
      with: { task: "Describe it", context: { name: "shop", rows: 4 } },
    },
    {
      name: "fills a shape with a model",
      with: {
        task: "Name it",
        schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      },
      replies: [{ json: { name: "shop" } }],
      check: (output) => assert.deepStrictEqual(has(output, "value"), { name: "shop" }),
    },
    {
      name: "has nothing to say without a model and without facts",
      with: { task: "Write a poem" },
      fails: "no_model",
    },
  ],
  call: [
    {
      name: "calls a tool",
      tools: { count: { result: { n: 3 } } },
      with: { tool: "count", params: { by: "region" } },
      check: (output) => assert.deepStrictEqual(output, { n: 3 }),
    },
  ],
  approve: [
    {
      name: "gives what a person says",
      with: { message: "Go on?" },
      check: (output) =>
        assert.deepStrictEqual(output, { approved: true, comment: "", by: "person" }),
    },
  ],
  plan: [
    {
      ...onDesk,
      name: "plans by the words of the tools without a model",
      with: { request: "please book a room for 2 nights" },
      check: (output) => {
        const { steps } = has(output, "plan") as unknown as { readonly steps: ReadonlyArray<Json> }
        assert.deepStrictEqual(
          steps.map((one) => [has(one, "tool"), has(one, "params")]),
          [["book_room", { nights: 2 }]],
        )
      },
    },
    {
      ...onDesk,
      name: "plans with a model",
      with: { request: "a room for two nights" },
      replies: [
        { json: { plan: { steps: [{ id: "a", tool: "book_room", params: { nights: 2 } }] } } },
      ],
      check: (output) => assert.strictEqual(has(output, "confidence"), 1),
    },
  ],
  plan_turn: [
    {
      ...onDesk,
      name: "plans by the words of the tools without a model",
      with: { intents: deskIntents, text: "please book a room for 2 nights" },
      check: (output) => {
        assert.deepStrictEqual(has(output, "candidate_tools"), ["book_room"])
        assert.deepStrictEqual(has(output, "arguments"), { nights: 2 })
        assert.strictEqual(has(output, "settled"), true)
      },
    },
    {
      ...onDesk,
      name: "proposes nothing where a word has no use, and quotes it",
      with: { intents: deskIntents, text: "book a room for 2 nights unless rain comes" },
      check: (output) => {
        assert.deepStrictEqual(has(output, "candidate_tools"), [])
        assert.match(String(has(output, "chat_response")), /"unless rain comes"/)
      },
    },
    {
      ...onDesk,
      name: "carries out the answer to its question",
      with: {
        intents: deskIntents,
        text: "noon",
        history: [{ user: "book the table", assistant: "Book table: noon or 19:00?" }],
      },
      check: (output) => assert.deepStrictEqual(has(output, "arguments"), { at: "noon" }),
    },
    {
      ...onDesk,
      name: "replaces a model's reply that states a result, and settles a plan that the words give",
      with: { intents: deskIntents, text: "book a room for 2 nights" },
      replies: [{ json: { ...reply, chat_response: "Your room has been booked." } }],
      check: (output) => assert.deepStrictEqual(output, turn),
    },
    {
      ...onDesk,
      name: "leaves a model's plan unsettled that ignores a word",
      with: { intents: deskIntents, text: "book a room for 2 nights if there is a pool" },
      replies: [{ json: reply }],
      check: (output) => {
        assert.strictEqual(has(output, "settled"), false)
        assert.deepStrictEqual(has(output, "open"), ["if", "is", "pool"])
      },
    },
    {
      ...onDesk,
      name: "refuses an intent that is not declared",
      with: { intents: deskIntents, text: "book a room for 2 nights" },
      replies: [{ json: { ...reply, intent: "small_talk" } }],
      fails: "invalid_output",
    },
    {
      components: { indexes: [embedded] },
      name: "refuses to plan where no tool serves an intent",
      with: { intents: deskIntents, text: "book a room for 2 nights" },
      fails: "invalid_request",
    },
  ],
  act: [
    {
      ...onDesk,
      name: "runs the candidate whose arguments are complete and names the other action",
      with: {
        plan: { ...turn, candidate_tools: ["book_table", "book_room"], each: true },
      },
      check: (output) => {
        assert.strictEqual(has(output, "tool"), "book_room")
        assert.deepStrictEqual(has(output, "left"), ["book_table"])
        assert.strictEqual(has(output, "text"), "It is done. Still to do: book table.")
      },
    },
    {
      ...onDesk,
      name: "counts alternatives as no loss",
      with: { plan: { ...turn, candidate_tools: ["book_room", "book_table"] } },
      check: (output) => assert.deepStrictEqual(has(output, "left"), []),
    },
    {
      ...onDesk,
      name: "lets a model choose and fill in a candidate",
      with: { plan: { ...turn, candidate_tools: ["book_table"] } },
      replies: [{ json: { tool: "book_table", params: { at: "19:00" } } }],
      check: (output) => assert.deepStrictEqual(has(output, "arguments"), { at: "19:00" }),
    },
    {
      ...onDesk,
      name: "refuses a plan without a tool that exists",
      with: { plan: { ...turn, candidate_tools: ["sell_house"] } },
      fails: "invalid_request",
    },
  ],
  wait: [
    {
      name: "returns the time it waited until",
      with: { until: "1999-12-31T23:00:00Z" },
      check: (output) => assert.strictEqual(output, "1999-12-31T23:00:00.000Z"),
    },
    {
      name: "refuses two ways to wait",
      with: { for: "1s", signal: "paid" },
      fails: "invalid_request",
    },
  ],
  emit: [
    {
      name: "returns the data of its event",
      with: { name: "order_shipped", data: { id: 7 } },
      check: (output) => assert.deepStrictEqual(output, { id: 7 }),
    },
  ],
  set: [
    {
      name: "returns its value",
      with: { value: { rows: [1, "a", null] } },
      check: (output) => assert.deepStrictEqual(output, { rows: [1, "a", null] }),
    },
  ],
  workflow: [
    {
      name: "runs another workflow",
      components: { stages: kinds.filter(({ id }) => id === "generate") },
      with: { path: doubling, inputs: { n: 4 } },
      check: (output) => assert.deepStrictEqual(output, { n: 8 }),
    },
  ],
}

describe("the built-in stage kinds", () => {
  it("all have cases", () => {
    assert.deepStrictEqual(kinds.map(({ id }) => id).toSorted(), Object.keys(cases).toSorted())
  })
})

for (const kind of kinds) stageKindSuite({ describe, it }, kind, cases[kind.id] ?? [])
