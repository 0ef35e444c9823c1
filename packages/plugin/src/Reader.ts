/** Readers: how a message in plain words becomes the plan of one turn. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed } from "./Failure.ts"
import type { JsonObject } from "./Json.ts"
import type { StageContext } from "./Stage.ts"
import type { Tool } from "./Tool.ts"

/** One thing a message can ask for. */
export interface ReaderIntent {
  /** A tool serves the intent that its `group` names. */
  readonly id: string
  /**
   * What the candidate tools of a plan are to each other: `alternatives`, of which one is enough, or `actions` that
   * were each asked for. `none` for an intent that no tool serves.
   */
  readonly tools: "none" | "alternatives" | "actions"
  /** The reply before a tool runs, or where none will; under 20 words. */
  readonly reply: string
}

/** An earlier message and its reply. */
export interface PastTurn {
  readonly user: string
  /** The reply's text alone: a model that sees plans of its own writes more of them where words are wanted. */
  readonly assistant: string
}

/** A message and all that may be needed to understand it. */
export interface TurnRequest {
  /** As it was written. */
  readonly text: string
  /** Oldest first. */
  readonly history: ReadonlyArray<PastTurn>
  /** The user's day, YYYY-MM-DD. */
  readonly today: string
  /** The user's time, in words for a reply. */
  readonly time: string
  /** The tools that serve an intent of the reader. */
  readonly tools: ReadonlyArray<Tool>
}

/** What one message wants, which tools may do it, and what to say before they run. */
export interface TurnPlan {
  /** The id of an intent. */
  readonly intent: string
  /** For logs; never shown to the user. */
  readonly reasoning_summary: string
  /** Under 20 words; it announces, it states no result. */
  readonly chat_response: string
  /** At most two, best first. */
  readonly candidate_tools: ReadonlyArray<string>
  /** For all candidates together, by the names of their params. */
  readonly arguments: JsonObject
  /** 0 to 1. */
  readonly confidence: number
}

/** A reader of messages. All of it is pure but for the index: the same request gives the same plan. */
export interface Reader {
  readonly id: string
  readonly summary: string
  /** The closed set of intents. */
  readonly intents: ReadonlyArray<ReaderIntent>
  /** The id of the intent that stands for a message nothing can be made of. */
  readonly unclear: string
  /** The plan of a message that is answered without asking a model even where there is one: the time, the date. */
  readonly withoutModel?: (request: TurnRequest) => TurnPlan | undefined
  /** Whether a reply states a result. A model's reply that does so before a tool has run is replaced. */
  readonly claimsResult: (reply: string) => boolean
  /** The plan without a model. */
  readonly read: (
    request: TurnRequest,
    context: Pick<StageContext, "index">,
  ) => Effect<TurnPlan, ModelFailed | StageFailed>
}
