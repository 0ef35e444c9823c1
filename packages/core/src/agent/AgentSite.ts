/** The stage that runs a tool loop, as the loop sees it. */
import type { Effect } from "effect/Effect"
import type {
  Ask,
  Json,
  JsonObject,
  ModelFailed,
  ModelReply,
  ModelRequest,
  ToolFailed,
  ToolOffer,
} from "@planloom/plugin/effect"
import type { ToolRegistry } from "@planloom/language"
import type { TextReply } from "../model/request/textTools.ts"

export interface AgentSite {
  readonly path: string
  readonly registry: ToolRegistry
  /** One recorded model call; `answer` is declared besides the tools of the ask. */
  readonly ask: (
    ask: Ask,
    answer: NonNullable<ModelRequest["tools"]>[number] | undefined,
  ) => Effect<Asked, ModelFailed>
  /** Handles an answer that was cut at its maximum length. */
  readonly complete: (ask: Ask, reply: ModelReply) => Effect<ModelReply, ModelFailed>
  /** One recorded tool call. */
  readonly call: (call: {
    readonly tool: string
    readonly params: JsonObject
    readonly key: string
    readonly approve: boolean
  }) => Effect<Json, ToolFailed>
}

export interface Asked {
  readonly reply: TextReply
  /** What the model was offered. */
  readonly offers: ReadonlyArray<ToolOffer>
}
