/** Confidence of a stage in its output, and the clarification it asks for below a threshold. */
import * as Effect from "effect/Effect"
import { StageFailed } from "@planloom/plugin/effect"
import type { Json, JsonObject, JsonSchema, StageContext } from "@planloom/plugin/effect"

/** `with.confidence` of a kind. */
export interface ConfidenceRule {
  /** Below it the stage asks the user; 0 never asks. */
  readonly threshold?: number
  /** The question to ask unless the stage has one of its own. */
  readonly clarify?: string
}

export const confidenceRule = {
  type: "object",
  additionalProperties: false,
  description: "when the stage asks the user instead of continuing",
  properties: {
    threshold: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description: "below this confidence the user is asked; 0 never asks",
    },
    clarify: {
      type: "string",
      minLength: 1,
      description: "what to ask where the stage has no question of its own",
    },
  },
} as const satisfies JsonSchema

/** Minimum confidence of a model's reply, unless the workflow sets a threshold. */
export const DEFAULT_THRESHOLD = 0.7

export const confidence = { type: "number", minimum: 0, maximum: 1 } as const satisfies JsonSchema

/** Properties that a reply has in addition when a model is asked for its confidence. */
export const confidenceReply = {
  confidence,
  clarification: { type: "string", description: "what to ask the user when unsure" },
} as const satisfies { readonly [name: string]: JsonSchema }

export const confidenceInstruction = (threshold: number): string =>
  `"confidence" is how sure you are, between 0 and 1; below ${threshold} write in "clarification" the one question you would ask the user.`

export interface ModelConfidence {
  readonly confidence: number
  readonly question?: string
}

/** A reply without `confidence` counts as certain. */
export const readConfidence = (reply: Json): ModelConfidence => {
  const { confidence: given, clarification } = reply as JsonObject
  const asked = typeof clarification === "string" ? clarification.trim() : ""
  return {
    confidence: typeof given === "number" ? given : 1,
    ...(asked === "" ? {} : { question: asked }),
  }
}

/**
 * Returns the output if the confidence reaches the threshold, fails with class `clarification` otherwise. Records the
 * note `confidence`: { confidence, threshold, asks }.
 */
export const requireConfidence = (
  context: StageContext,
  output: Json,
  {
    confidence: sure,
    question,
    rule,
    otherwise = DEFAULT_THRESHOLD,
    detail = output,
    isOpen = false,
  }: ModelConfidence & {
    readonly rule: ConfidenceRule | undefined
    /** The threshold unless the rule has one. */
    readonly otherwise?: number
    readonly detail?: Json
    /** Something is not understood: the stage asks whatever the confidence is, unless the threshold is 0. */
    readonly isOpen?: boolean
  },
): Effect.Effect<Json, StageFailed> => {
  const threshold = rule?.threshold ?? otherwise
  const asks = sure < threshold || (isOpen && rule?.threshold !== 0)
  return Effect.andThen(
    context.note("confidence", { confidence: sure, threshold, asks }),
    asks
      ? Effect.fail(
          new StageFailed({
            class: "clarification",
            message: question ?? rule?.clarify ?? context.text("clarify"),
            detail,
          }),
        )
      : Effect.succeed(output),
  )
}
