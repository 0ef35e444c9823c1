/** A model's calls of tools as steps of a plan; none of them is made. */
import * as Effect from "effect/Effect"
import { isCut, StageFailed } from "@planloom/plugin/effect"
import type { Failure, Json, ModelReply, StageContext, Tool } from "@planloom/plugin/effect"
import type { WrittenPlan } from "@planloom/planning"
import { isObject } from "@planloom/schema"
import { corrections, readConfidence, type ModelConfidence } from "@planloom/stage-kit"
import { stepsOf } from "./fittingPlan.ts"
import type { PlanInput } from "./PlanInput.ts"
import { callingSections, planQuestion } from "./planPrompt.ts"

export interface NativePlan {
  readonly steps: WrittenPlan["steps"]
  readonly judged: ModelConfidence
  /** For a correction. */
  readonly reply: string
}

export const nativeCalls = (
  input: PlanInput,
  tools: ReadonlyArray<Tool>,
  context: StageContext,
): Effect.Effect<NativePlan, Failure> =>
  Effect.flatMap(
    context.model.text({
      prompt: { sections: callingSections(input) },
      messages: [
        { role: "user", content: planQuestion(input) },
        ...corrections(context, "Make all calls again, corrected."),
      ],
      tools: tools.map(({ name }) => name),
      // Plans as JSON would be imitated.
      examples: "none",
    }),
    (reply) => {
      const problem = problemOf(reply)
      return problem === undefined
        ? Effect.succeed({
            steps: stepsOf(
              reply.toolCalls.map(({ arguments: params, name: tool }) => ({ tool, params })),
            ),
            judged: judgedText(reply.text),
            reply: reply.text,
          })
        : Effect.fail(
            new StageFailed({
              class: "invalid_output",
              message: problem,
              detail: { reply: reply.text, issues: [{ path: "calls", message: problem }] },
            }),
          )
    },
  )

/** The reason for which the calls are not all that the model meant. */
const problemOf = ({ finish, toolCalls }: ModelReply): string | undefined =>
  isCut(finish)
    ? "the reply was cut off, so calls may be missing; be shorter"
    : toolCalls.some(({ unread }) => unread !== undefined)
      ? "the arguments of a call are not one JSON object"
      : undefined

/** The confidence and question that are written beside the calls; a text that asks is the question. */
export const judgedText = (text: string): ModelConfidence => {
  for (const [json] of text.matchAll(/\{[^{}]*\}/g)) {
    const value = parsed(json)
    if (isObject(value) && ("confidence" in value || "clarification" in value)) {
      const { confidence, ...judged } = readConfidence(value)
      return { ...judged, confidence: confidence >= 0 && confidence <= 1 ? confidence : 1 }
    }
  }
  const said = text.trim()
  return { confidence: 1, ...(said.endsWith("?") ? { question: said } : {}) }
}

const parsed = (json: string): Json | undefined => {
  try {
    return JSON.parse(json) as Json
  } catch {
    return undefined
  }
}
