/** Stage kind `extract`: reads a question into requirements. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json, StageContext } from "@planloom/plugin/effect"
import {
  asJson,
  confidence,
  confidenceInstruction,
  confidenceReply,
  confidenceRule,
  corrections,
  readConfidence,
  DEFAULT_THRESHOLD,
  requireConfidence,
  text,
  texts,
  withSummary,
} from "@planloom/stage-kit"
import type { ConfidenceRule } from "@planloom/stage-kit"
import { describeProfile, readProfile } from "@planloom/tables"
import { requirementsLine } from "../answer/summaries.ts"
import { extendVocabulary, vocabularySchema } from "../language/Vocabulary.ts"
import type { Vocabulary, VocabularyFile } from "../language/Vocabulary.ts"
import { vocabularyKind } from "../language/vocabularyKind.ts"
import { vocabularyOf } from "../language/vocabularyOf.ts"
import { extractRequirements } from "../language/extractRequirements.ts"
import type { Extraction } from "../language/extractRequirements.ts"
import { requirementsSchema } from "../requirements/Requirements.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { normalizeRequirements } from "../requirements/normalizeRequirements.ts"
import { profile, requirements } from "../schemas.ts"

interface Input {
  readonly text: string
  readonly profile?: Json
  readonly vocabulary?: Partial<Vocabulary>
  readonly confidence?: ConfidenceRule
}

/** Confidence threshold without a model: questions are either understood (above) or not (far below). */
const MECHANICAL_THRESHOLD = 0.5

/** The requirements with the model's confidence and clarifying question. */
const replySchema = {
  ...requirementsSchema,
  properties: {
    ...requirementsSchema.properties,
    ...confidenceReply,
  },
} as const

const instructions = `Read the user's question about a table into requirements, as JSON.
Rules:
- Use only the columns listed, by their exact names. What the question names and no column holds goes to "unknown".
- "analysis" is a closed set. Do not infer an analysis, an output or a constraint the question does not ask for.
- "metrics" are columns that are measured, "group_by" columns that divide the rows.
- Leave lists empty, "column" "" and "grain" "unknown" where the question says nothing.
- Constraints: {kind: "filter", column, op, value} keeps rows (dates as 2023, 2023-Q2, 2023-05 or 2023-05-17); {kind: "top_n", n, order, by, per} ("top 3 in each region": per region); {kind: "window", n} of a moving average; {kind: "horizon", n} of a forecast; {kind: "exclude", output} for an output the user does not want; {kind: "chart_type", chart}.`

const result = (extraction: Extraction): Json => {
  const { requirements: found, confidence: sure, missing, notes, question } = extraction
  return {
    requirements: asJson(found),
    confidence: sure,
    unknown: found.unknown,
    missing,
    notes,
    ...(question === undefined ? {} : { question }),
  }
}

const withConfidence = (
  extraction: Extraction,
  input: Input,
  context: StageContext,
  otherwise: number,
) => {
  const { confidence: sure, question } = extraction
  return requireConfidence(context, result(extraction), {
    confidence: sure,
    ...(question === undefined ? {} : { question }),
    rule: input.confidence,
    otherwise,
  })
}

const fromReply = (reply: Json, input: Input): Extraction => {
  const data = readProfile(input.profile)
  const found = normalizeRequirements(reply, data.columns.length === 0 ? undefined : data)
  return { requirements: found, missing: found.unknown, notes: [], ...readConfidence(reply) }
}

const summaryOf = (output: Json): string =>
  requirementsLine((output as unknown as { readonly requirements: Requirements }).requirements)

const withModel = (input: Input, context: StageContext) =>
  context.model
    .json(
      {
        prompt: {
          sections: [
            {
              id: "instructions",
              text: `${instructions}\n- ${confidenceInstruction(input.confidence?.threshold ?? DEFAULT_THRESHOLD)}`,
              stable: true,
            },
          ],
        },
        messages: [
          {
            role: "user",
            content: `${describeProfile(readProfile(input.profile))}\n\nQuestion: ${input.text}`,
          },
          ...corrections(context),
        ],
      },
      { name: "requirements", schema: replySchema },
    )
    .pipe(
      Effect.flatMap((reply) =>
        withConfidence(fromReply(reply, input), input, context, DEFAULT_THRESHOLD),
      ),
    )

/**
 * Inserts the answers into the question: in place of the words that were asked about, else at the end.
 */
const answered = (question: string, answers: StageContext["answers"]): string =>
  answers.reduce((whole, { answer, question: asked }) => {
    const given = typeof answer === "string" ? answer : JSON.stringify(answer)
    const quoted = [...asked.matchAll(/"([^"]+)"/g)].map(([, words]) => words!)
    const lower = whole.toLowerCase()
    const about = quoted.find((words) => lower.includes(words.toLowerCase()))
    if (about === undefined) return `${whole} ${given}`
    const at = lower.indexOf(about.toLowerCase())
    return `${whole.slice(0, at)}${given}${whole.slice(at + about.length)}`
  }, question)

const mechanically = (input: Input, context: StageContext) =>
  Effect.suspend(() => {
    const files = context.files(vocabularyKind.kind) as ReadonlyArray<VocabularyFile>
    const written = vocabularyOf(files)
    const { vocabulary: more } = input
    const vocabulary = more === undefined ? written : extendVocabulary(written, more)
    return withConfidence(
      extractRequirements(
        answered(input.text, context.answers),
        readProfile(input.profile),
        vocabulary,
      ),
      input,
      context,
      MECHANICAL_THRESHOLD,
    )
  })

export const extract = stageKind<Input>({
  id: "extract",
  summary: "Reads what a question asks for into requirements.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: { type: "string", minLength: 1, description: "the question" },
      profile,
      vocabulary: {
        ...vocabularySchema,
        description: "words of the domain, added to those of the files of kind Vocabulary",
      },
      confidence: confidenceRule,
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["requirements", "confidence", "unknown", "missing", "notes"],
    properties: {
      requirements,
      confidence,
      unknown: texts,
      missing: texts,
      notes: texts,
      question: text,
    },
  },
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
})
