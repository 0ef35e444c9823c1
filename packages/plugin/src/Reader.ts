/** Readers: turn a message in plain words into the plan of one turn. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed } from "./Failure.ts"
import type { JsonObject } from "./Json.ts"
import type { BuildIndex } from "./SearchIndex.ts"
import type { Tool } from "./Tool.ts"

/** An intent of a message. */
export interface ReaderIntent {
  /** Equal to the `group` of the tools that serve the intent. */
  readonly id: string
  /**
   * Relation of a plan's candidate tools: `alternatives`, of which one suffices, or `actions` that were each
   * requested. `none` for an intent without tools.
   */
  readonly tools: "none" | "alternatives" | "actions"
  /** Reply before a tool runs, or without a tool; under 20 words. */
  readonly reply: string
}

/** An earlier message and its reply. */
export interface PastTurn {
  readonly user: string
  /** Only the reply's text: a model that sees its own plans tends to write plans instead of text. */
  readonly assistant: string
}

/** A message with its context. */
export interface TurnRequest {
  /** The unchanged message. */
  readonly text: string
  /** Oldest first. */
  readonly history: ReadonlyArray<PastTurn>
  /** The user's current date, YYYY-MM-DD. */
  readonly today: string
  /** The user's current time, in words for a reply. */
  readonly time: string
  /** The tools that serve an intent of the reader. */
  readonly tools: ReadonlyArray<Tool>
}

/** Intent of a message, candidate tools, and the reply before they run. */
export interface TurnPlan {
  /** The id of an intent. */
  readonly intent: string
  /** For logs; never shown to the user. */
  readonly reasoning_summary: string
  /** Under 20 words; an announcement without a result. */
  readonly chat_response: string
  /** At most two, best first. */
  readonly candidate_tools: ReadonlyArray<string>
  /** Arguments of all candidates, by parameter name. */
  readonly arguments: JsonObject
  /** 0 to 1. */
  readonly confidence: number
}

/** A reader of messages. Pure except for the index: the same request gives the same plan. */
export interface Reader {
  readonly id: string
  readonly summary: string
  /** The closed set of intents. */
  readonly intents: ReadonlyArray<ReaderIntent>
  /** Id of the intent for messages that are not understood. */
  readonly unclear: string
  /** Plan of a message that needs no model even if one is available: the time, the date. */
  readonly withoutModel?: (request: TurnRequest) => TurnPlan | undefined
  /** Whether a reply states a result. A model's reply that does so before a tool has run is replaced. */
  readonly claimsResult: (reply: string) => boolean
  /** Plans a message without a model. */
  readonly read: (
    request: TurnRequest,
    context: { readonly index: BuildIndex },
  ) => Effect<TurnPlan, ModelFailed | StageFailed>
}
