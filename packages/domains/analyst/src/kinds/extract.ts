/** Stage kind `extract`: reads a question into requirements. */
import * as Effect from "effect/Effect"
import { chosen } from "@planloom/planning/reading"
import { stageKind, StageFailed } from "@planloom/plugin/effect"
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
import { extendVocabulary, vocabularySchema } from "../language/vocabulary/Vocabulary.ts"
import type { Vocabulary, VocabularyFile } from "../language/vocabulary/Vocabulary.ts"
import { vocabularyKind } from "../language/vocabulary/vocabularyKind.ts"
import { vocabularyOf } from "../language/vocabulary/vocabularyOf.ts"
import { extractRequirements } from "../language/extractRequirements.ts"
import type { TableQuestion } from "../language/TableQuestion.ts"
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

/** The requirements with the model's confidence and clarifying question. */
const replySchema = {
  ...requirementsSchema,
  // A question whose words all have a column leaves nothing to write there.
  required: requirementsSchema.required.filter((name) => name !== "unknown"),
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

const result = (extraction: Extracted): Json => {
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

interface Extracted extends Omit<Extraction, "question" | "refusal"> {
  readonly question?: string
}

/** Asks whatever the confidence is, if a word is open; a threshold of 0 never asks. */
const withConfidence = (extraction: Extracted, input: Input, context: StageContext) => {
  const { confidence: sure, question, requirements: found } = extraction
  return requireConfidence(context, result(extraction), {
    confidence: sure,
    ...(question === undefined ? {} : { question }),
    isOpen: found.unknown.length > 0,
    rule: input.confidence,
  })
}

/** What a model leaves unknown is asked about: an answer without it would be about something else. */
const fromReply = (reply: Json, input: Input, answers: StageContext["answers"]): Extracted => {
  const data = readProfile(input.profile)
  const found = normalizeRequirements(reply, data.columns.length === 0 ? undefined : data)
  const read = { question: undefined, ...readConfidence(reply) }
  const asked = answers.map(({ question }) => question).join("\n")
  const open = found.unknown.filter((words) => !asked.includes(`"${words}"`))
  const columns = data.columns.map(({ name }) => name).join(", ")
  const quoted = open.map((words) => `"${words}"`).join(", ")
  const question =
    read.question ??
    (open.length === 0
      ? undefined
      : `The data has nothing for ${quoted}. The columns are ${columns}. Which of them do you mean, or leave it out?`)
  return {
    requirements: { ...found, unknown: open },
    missing: found.unknown,
    notes: [],
    confidence: read.confidence,
    ...(question === undefined ? {} : { question }),
  }
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
        withConfidence(fromReply(reply, input, context.answers), input, context),
      ),
    )

interface Asked {
  readonly text: string
  readonly question: TableQuestion
}

/** The question with an answer in place of the words in question, or at its end. */
const withAnswer = ({ question, text: whole }: Asked, answer: string): string => {
  const choice = chosen(question, answer)
  const says = choice?.says ?? answer
  const { about } = question
  const at = about === "" ? -1 : whole.indexOf(about)
  return at < 0
    ? `${whole} ${says}`
    : `${whole.slice(0, at)}${says}${whole.slice(at + about.length)}`
}

const mechanically = (input: Input, context: StageContext) =>
  Effect.suspend(() => {
    const files = context.files(vocabularyKind.kind) as ReadonlyArray<VocabularyFile>
    const written = vocabularyOf(files)
    const { vocabulary: more } = input
    const vocabulary = more === undefined ? written : extendVocabulary(written, more)
    const data = readProfile(input.profile)
    let question = input.text
    const before: Array<string> = []
    let found = extractRequirements(question, data, vocabulary, before)
    for (const { answer } of context.answers) {
      const asked = found.question
      if (asked === undefined) break
      const given = typeof answer === "string" ? answer : JSON.stringify(answer)
      before.push(asked.about === "" ? asked.text : asked.about)
      question = withAnswer({ text: question, question: asked }, given)
      found = extractRequirements(question, data, vocabulary, before)
    }
    const { question: next, refusal, ...rest } = found
    if (refusal !== undefined && input.confidence?.threshold !== 0)
      return Effect.fail(
        new StageFailed({
          class: "clarification",
          message: `There is no answer to this: ${refusal}. Please ask in other words.`,
          detail: result(rest),
        }),
      )
    const isOpen = next !== undefined || refusal !== undefined
    return requireConfidence(
      context,
      result({ ...rest, ...(next === undefined ? {} : { question: next.text }) }),
      {
        confidence: rest.confidence,
        ...(next === undefined ? {} : { question: next.text }),
        isOpen,
        rule: input.confidence,
        otherwise: 0,
      },
    )
  })

export const extract = stageKind<Input>({
  id: "extract",
  summary: "Reads what a question asks for into requirements.",
  sections: ["instructions"],
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
  asks: () => ({ questions: [{ way: "json" }] }),
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
})
