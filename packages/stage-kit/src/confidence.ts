/** How sure a stage is of what it has made, and the question it ends in where it is not sure enough. */
import * as Effect from "effect/Effect"
import { StageFailed } from "@planloom/plugin"
import type { Json, JsonObject, JsonSchema, StageContext } from "@planloom/plugin"

/** `with.confidence` of a kind. */
export interface ConfidenceRule {
  /** Below it the user is asked; 0 never asks. */
  readonly threshold?: number
  /** What is asked where the stage has no better question of its own. */
  readonly clarify?: string
}

export const confidenceRule = {
  type: "object",
  additionalProperties: false,
  description: "when the stage asks the user instead of going on",
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

/** Below it a model's guess is not acted on, unless the workflow says otherwise. */
export const SURE = 0.7

export const confidence = { type: "number", minimum: 0, maximum: 1 } as const satisfies JsonSchema

/** What a model adds to its reply where it is asked how sure it is. */
export const confidenceReply = {
  confidence,
  clarification: { type: "string", description: "what to ask the user when unsure" },
} as const satisfies { readonly [name: string]: JsonSchema }

export const confidenceInstruction = (threshold: number): string =>
  `"confidence" is how sure you are, between 0 and 1; below ${threshold} write in "clarification" the one question you would ask the user.`

export interface Judged {
  readonly confidence: number
  readonly question?: string
}

/** A model that says nothing of its confidence is taken to be sure. */
export const judgedIn = (reply: Json): Judged => {
  const { confidence: told, clarification } = reply as JsonObject
  const asked = typeof clarification === "string" ? clarification.trim() : ""
  return {
    confidence: typeof told === "number" ? told : 1,
    ...(asked === "" ? {} : { question: asked }),
  }
}

/**
 * The output where it is sure enough, otherwise a failure of class `clarification`. Told by the note
 * `confidence`: { confidence, threshold, asks }.
 */
export const sureOf = (
  context: StageContext,
  output: Json,
  {
    confidence: sure,
    question,
    rule,
    otherwise = SURE,
    detail = output,
  }: Judged & {
    readonly rule: ConfidenceRule | undefined
    /** The threshold where the rule has none. */
    readonly otherwise?: number
    readonly detail?: Json
  },
): Effect.Effect<Json, StageFailed> => {
  const threshold = rule?.threshold ?? otherwise
  const asks = sure < threshold
  return Effect.andThen(
    context.note("confidence", { confidence: sure, threshold, asks }),
    asks
      ? Effect.fail(
          new StageFailed({
            class: "clarification",
            message: question ?? rule?.clarify ?? "What exactly do you want? Please say more.",
            detail,
          }),
        )
      : Effect.succeed(output),
  )
}
