/** Stage kind `respond`: answers the question from the results of a plan. */
import type { Plan } from "@planloom/planning"
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { corrections, plan, text, texts, withSummary } from "@planloom/stage-kit"
import { answerTables, evidenceOf, tableOf, type Evidence } from "../answer/Evidence.ts"
import { caveatsOf, linesOf } from "../answer/caveats.ts"
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

const answer = (
  input: Input,
  evidence: Evidence,
  said: string,
  caveats: ReadonlyArray<string>,
): Json => {
  const main = tableOf(input.requirements, evidence)
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
  const evidence = evidenceOf(input.results, input.plan, context.tools)
  const lines = yield* facts(input, evidence, context)
  const body = lines.length === 0 ? ["The plan gave no table to answer from."] : lines
  const caveats = caveatsOf(input.requirements, input.notes, evidence)
  return answer(input, evidence, [...body, ...linesOf(caveats)].join("\n"), caveats)
})

const instructions = `Answer the user's question in a few plain sentences, from the facts and tables given and from nothing else.
Every number you write must stand in them, rounded if you like. Say what could not be answered.
Use plain text; start list lines with "- ". Do not mention tools, steps or JSON.`

/** Rows of each table in the request to a model. */
const MAX_MODEL_ROWS = 30

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const evidence = evidenceOf(input.results, input.plan, context.tools)
  const known = caveatsOf(input.requirements, input.notes, evidence)
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
  sections: ["instructions"],
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
  asks: () => ({ questions: [{ way: "text", isReply: true }] }),
  model: withSummary(withModel, summary),
  mechanical: withSummary(mechanically, summary),
  refused: (said) => ({ text: said, table: null, chart: null, charts: [], caveats: [] }),
})
