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
  /** Names of the tools that drew the charts. */
  readonly drawn: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
}

/** Results by step, from the output of `execute` or a plain map. */
const resultsByStep = (results: JsonObject): JsonObject =>
  isObject(results.steps) && Array.isArray(results.order) ? results.steps : results

const evidenceOf = ({ results, plan: made }: Input, context: StageContext): Evidence => {
  const byStep = resultsByStep(results)
  const found: Array<Found> = []
  const charts: Array<Json> = []
  const drawn: Array<string> = []
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
    if (isChart(value)) {
      charts.push(value)
      drawn.push(step.tool)
    }
    const table = isChart(value) ? undefined : viewTable(value)
    if (table !== undefined) found.push({ step, tool, table })
  }
  const failures = Array.isArray(results.failed) ? results.failed : []
  const failed = failures.flatMap((one) =>
    isObject(one) ? [`${String(one.step)} failed: ${String(one.message)}`] : [],
  )
  return { found, charts, drawn, failed }
}

/** Tables to answer from: without those of preparing steps, unless there are no others. */
const answerTables = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const candidates = found.filter(({ tool }) => !can(tool, "filter", "parse_datetime", "datetime"))
  // A ranked or smoothed table replaces the one it was made from.
  const ranked = candidates.filter(({ tool }) =>
    can(tool, "ranking", "top_n", "moving_average", "having", "change"),
  )
  const origins = new Set(ranked.flatMap(({ step }) => Object.values(step.inputs)))
  const kept = candidates.filter(({ step }) => !origins.has(step.id))
  return kept.length > 0 ? kept : found
}

/** What a reader must know beside the numbers, without a full stop. */
const caveatsOf = (input: Input, evidence: Evidence) => {
  const { notes, requirements: asked } = input
  const main = tableOf(input, evidence)
  return [
    ...(asked.unknown.length === 0
      ? []
      : [`Not answered, because the data has nothing for it: ${asked.unknown.join(", ")}`]),
    ...notes,
    ...unserved(asked, evidence),
    ...failuresOf(evidence),
    ...(main === undefined ? [] : cutNote(main.table)),
  ]
}

/** Rows of the answer's table that its first ones leave out. */
const cutNote = ({ rows, total }: Found["table"]): ReadonlyArray<string> =>
  total > rows.length
    ? [
        `The table shows the first ${rows.length} of ${total.toLocaleString("en-US")} rows; \`planloom run --out\` writes all of them`,
      ]
    : []

/** The kind of chart that was asked for and not drawn. */
const unserved = ({ constraints }: Requirements, { charts, drawn }: Evidence) =>
  constraints.flatMap((one) => {
    if (one.kind !== "chart_type") return []
    const [last] = one.chart.split("_").slice(-1)
    const made = [...drawn, ...charts.map((chart) => (isObject(chart) ? String(chart.alt) : ""))]
    return made.some((name) => name.toLowerCase().includes(last ?? ""))
      ? []
      : [
          `No ${one.chart.replaceAll("_", " ")} chart was drawn, because no step of the plan draws one`,
        ]
  })

const linesOf = (caveats: ReadonlyArray<string>): ReadonlyArray<string> =>
  caveats.map((caveat) => {
    const sentence = caveat.replace(/\.?$/, ".")
    return caveat.startsWith("Not ") ? sentence : `Note: ${sentence}`
  })

/** Failures to report; without rows, failed charts are expected. */
const failuresOf = ({ found, failed }: Evidence): ReadonlyArray<string> =>
  found.some(({ table }) => table.total > 0) || found.length === 0 ? failed : []

const mainTable = (found: ReadonlyArray<Found>): Found | undefined =>
  found.find(({ tool }) => can(tool, "ranking", "top_n")) ??
  found.find(({ tool }) => can(tool, "having", "change", "per_group")) ??
  found.find(({ tool }) => can(tool, "aggregate")) ??
  found.at(-1)

/** The table of the answer; undefined if none is wanted. */
const tableOf = (input: Input, evidence: Evidence): Found | undefined => {
  const unwanted = input.requirements.constraints.some(
    (one) => one.kind === "exclude" && one.output === "table",
  )
  return unwanted ? undefined : mainTable(answerTables(evidence.found))
}

const answer = (
  input: Input,
  evidence: Evidence,
  said: string,
  caveats: ReadonlyArray<string>,
): Json => {
  const main = tableOf(input, evidence)
  return {
    text: said,
    table: main?.table.value ?? null,
    chart: evidence.charts[0] ?? null,
    charts: evidence.charts,
    caveats,
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
  const caveats = caveatsOf(input, evidence)
  return answer(input, evidence, [...body, ...linesOf(caveats)].join("\n"), caveats)
})

const instructions = `Answer the user's question in a few plain sentences, from the facts and tables given and from nothing else.
Every number you write must stand in them, rounded if you like. Say what could not be answered.
Use plain text; start list lines with "- ". Do not mention tools, steps or JSON.`

/** Rows of each table in the request to a model. */
const MAX_MODEL_ROWS = 30

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const evidence = evidenceOf(input, context)
  const known = caveatsOf(input, evidence)
  const lines = [...(yield* facts(input, evidence, context)), ...linesOf(known)]
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
  const caveats = [
    ...known,
    ...(strange.length === 0
      ? []
      : [`Not in the results, so not to be relied on: ${strange.join(", ")}`]),
  ]
  const said = reply.text.trim()
  const unsaid = linesOf(caveats.filter((caveat) => !said.includes(caveat)))
  return answer(input, evidence, [said, ...unsaid].join("\n"), caveats)
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
    required: ["text", "table", "chart", "charts", "caveats"],
    properties: {
      text,
      table: { description: "the main table; null without one" },
      chart: { description: "the first chart; null without one" },
      charts: { type: "array" },
      caveats: { ...texts, description: "what to know beside the numbers" },
    },
  },
  streams: "text",
  model: withSummary(withModel, summary),
  mechanical: withSummary(mechanically, summary),
})
