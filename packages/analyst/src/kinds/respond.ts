/** Stage kind `respond`: answers the question from the results of a plan. */
import { can, isObject } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { corrections, plan, text, texts, withSummary } from "@planloom/stage-kit"
import { isChart, viewTable } from "@planloom/tables"
import type { Found } from "../answer/Found.ts"
import { sentencesOf } from "../answer/sentences.ts"
import { unverifiedNumbers } from "../answer/unverifiedNumbers.ts"
import { answerLine } from "../answer/summaries.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { requirements } from "../schemas.ts"

interface Input {
  readonly question: string
  readonly results: JsonObject
  readonly requirements: Requirements
  readonly plan?: Plan
  readonly notes: ReadonlyArray<string>
}

interface Evidence {
  readonly found: ReadonlyArray<Found>
  readonly charts: ReadonlyArray<Json>
  readonly failed: ReadonlyArray<string>
}

/** Results by step, from the output of `execute` or a plain map. */
const resultsByStep = (results: JsonObject): JsonObject =>
  isObject(results.steps) && Array.isArray(results.order) ? results.steps : results

const evidenceOf = ({ results, plan: made }: Input, context: StageContext): Evidence => {
  const byStep = resultsByStep(results)
  const found: Array<Found> = []
  const charts: Array<Json> = []
  for (const [id, value] of Object.entries(byStep)) {
    const step: Step = made?.steps.find((one) => one.id === id) ?? {
      id,
      tool: id,
      inputs: {},
      params: {},
      satisfies: [],
    }
    const tool = context.tools.find(({ name }) => name === step.tool) ?? {
      name: step.tool,
      summary: "",
      capabilities: [],
      inputs: {},
      params: true,
      outputs: [],
    }
    if (isChart(value)) charts.push(value)
    const table = isChart(value) ? undefined : viewTable(value)
    if (table !== undefined) found.push({ step, tool, table })
  }
  const failures = Array.isArray(results.failed) ? results.failed : []
  const failed = failures.flatMap((one) =>
    isObject(one) ? [`${String(one.step)} failed: ${String(one.message)}`] : [],
  )
  return { found, charts, failed }
}

/** Tables to answer from: without those of preparing steps, unless there are no others. */
const answerTables = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const candidates = found.filter(({ tool }) => !can(tool, "filter", "parse_datetime", "datetime"))
  // A ranked or smoothed table replaces the one it was made from.
  const ranked = candidates.filter(({ tool }) => can(tool, "ranking", "top_n", "moving_average"))
  const origins = new Set(ranked.flatMap(({ step }) => Object.values(step.inputs)))
  const kept = candidates.filter(({ step }) => !origins.has(step.id))
  return kept.length > 0 ? kept : found
}

const caveats = ({ requirements: asked, notes }: Input, failed: ReadonlyArray<string>) => [
  ...(asked.unknown.length === 0
    ? []
    : [`Not answered, because the data has nothing for it: ${asked.unknown.join(", ")}.`]),
  ...notes.map((note) => `Note: ${note}.`),
  ...failed.map((failure) => `Note: ${failure}.`),
]

/** Failures to report; without rows, failed charts are expected. */
const failuresOf = ({ found, failed }: Evidence): ReadonlyArray<string> =>
  found.some(({ table }) => table.total > 0) || found.length === 0 ? failed : []

const mainTable = (found: ReadonlyArray<Found>): Found | undefined =>
  found.find(({ tool }) => can(tool, "ranking", "top_n")) ??
  found.find(({ tool }) => can(tool, "aggregate")) ??
  found.at(-1)

const answer = (input: Input, evidence: Evidence, said: string): Json => {
  const unwanted = input.requirements.constraints.some(
    (one) => one.kind === "exclude" && one.output === "table",
  )
  const main = unwanted ? undefined : mainTable(answerTables(evidence.found))
  return {
    text: said,
    table: main?.table.value ?? null,
    chart: evidence.charts[0] ?? null,
    charts: evidence.charts,
  }
}

const facts = (input: Input, evidence: Evidence, context: StageContext) =>
  Effect.map(
    Effect.forEach(answerTables(evidence.found), (one) =>
      sentencesOf(one, input.requirements, context),
    ),
    (lines) => lines.flat(),
  )

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const evidence = evidenceOf(input, context)
  const lines = yield* facts(input, evidence, context)
  const body = lines.length === 0 ? ["The plan gave no table to answer from."] : lines
  return answer(input, evidence, [...body, ...caveats(input, failuresOf(evidence))].join("\n"))
})

const instructions = `Answer the user's question in a few plain sentences, from the facts and tables given and from nothing else.
Every number you write must stand in them, rounded if you like. Say what could not be answered.
Use plain text; start list lines with "- ". Do not mention tools, steps or JSON.`

/** Rows of each table in the request to a model. */
const MAX_MODEL_ROWS = 30

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const evidence = evidenceOf(input, context)
  const lines = [
    ...(yield* facts(input, evidence, context)),
    ...caveats(input, failuresOf(evidence)),
  ]
  const tables = answerTables(evidence.found).map(({ step, table }) => ({
    step: step.id,
    columns: table.columns.map(({ name }) => name),
    rows: table.rows.slice(0, MAX_MODEL_ROWS),
    total_rows: table.total,
    notes: table.notes,
  }))
  const reply = yield* context.model.text({
    prompt: { sections: [{ id: "instructions", text: instructions, stable: true }] },
    messages: [
      {
        role: "user",
        content: `Question: ${input.question}\n\nFacts:\n${lines.join("\n")}\n\nTables:\n${tables.map((table) => JSON.stringify(table)).join("\n")}`,
      },
      ...corrections(context),
    ],
    parts: "reply",
  })
  const strange = unverifiedNumbers(reply.text, [input.question, ...lines, JSON.stringify(tables)])
  if (strange.length > 0) yield* context.note("unverified_numbers", strange)
  return answer(input, evidence, reply.text.trim())
})

const summary = (output: Json): string => {
  const {
    charts,
    table,
    text: said,
  } = output as {
    readonly charts: ReadonlyArray<Json>
    readonly table: Json
    readonly text: string
  }
  return answerLine(said, table, charts.length)
}

export const respond = stageKind<Input>({
  id: "respond",
  summary: "Answers the question from the results of a plan.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["question", "results", "requirements"],
    properties: {
      question: text,
      results: { type: "object", description: "the output of execute, or results by step" },
      requirements,
      plan: { ...plan, description: "the plan that gave the results" },
      notes: { ...texts, default: [], description: "caveats to add to the answer" },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["text", "table", "chart", "charts"],
    properties: {
      text,
      table: { description: "the main table; null without one" },
      chart: { description: "the first chart; null without one" },
      charts: { type: "array" },
    },
  },
  streams: "text",
  model: withSummary(withModel, summary),
  mechanical: withSummary(mechanically, summary),
})
