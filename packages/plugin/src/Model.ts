/** One model provider: plain data in, a stream of parts out. */
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { ModelFailed } from "./Failure.ts"
import type { Json, JsonObject, JsonSchema } from "./Json.ts"

/** A piece of a message. Images are passed through as given. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }

export type Message =
  | { readonly role: "user"; readonly content: string | ReadonlyArray<Content> }
  | {
      readonly role: "assistant"
      readonly content: string | ReadonlyArray<Content>
      readonly toolCalls?: ReadonlyArray<ToolCall>
    }
  | {
      readonly role: "tool"
      readonly toolCallId: string
      readonly name: string
      readonly content: Json
    }

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  /** The provider's own mark on the call. Hand the call back as it came: some services refuse it without. */
  readonly signature?: string
}

/** Stable system text; `cache` marks the end of a prefix the provider may keep. */
export interface SystemBlock {
  readonly text: string
  readonly cache?: boolean
}

/**
 * How JSON is asked for: natively by its schema, as the arguments of one tool that must be called, or in words
 * alone. However it comes, the reply's `text` is the JSON.
 */
export type OutputForm = "json_schema" | "tool" | "text"

export interface ModelRequest {
  /** The provider's own name of the model: `claude-sonnet`, not `anthropic/claude-sonnet`. */
  readonly model: string
  readonly system: ReadonlyArray<SystemBlock>
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
  }>
  /** Ask for JSON of this shape; a provider without a native mode ignores it and the engine parses the text. */
  readonly output?: {
    readonly name: string
    readonly schema: JsonSchema
    /** How this model is best asked; where nothing is said, or it cannot be, the provider chooses. */
    readonly form?: OutputForm
  }
  readonly temperature?: number
  readonly topK?: number
  readonly maxTokens?: number
  readonly stop?: ReadonlyArray<string>
  /** A whole number from 0: the same seed asks for the same reply again, as far as the service can. */
  readonly seed?: number
}

/** Settings of a request that not every model takes, as they are written under `models:`. */
export type RequestSetting = "temperature" | "top_k" | "seed" | "stop"

/** Tokens of one call. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** The part of `input` that was read from the provider's cache. */
  readonly cached?: number
  /** The part of `input` that was written into the provider's cache. */
  readonly written?: number
  /**
   * From a provider: the service has told no more than this, though it may have used more, as of a reply that
   * was cut off. From the engine: what the service did not tell is counted from the texts.
   */
  readonly estimated?: true
}

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "other"

/** What a provider streams, in order; `finish` comes last, exactly once. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool_call"; readonly call: ToolCall }
  | {
      readonly type: "finish"
      readonly reason: FinishReason
      readonly usage: Usage
      readonly requestId?: string
    }

/** The whole of one reply: the fold of its parts. */
export interface ModelReply {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: ReadonlyArray<ToolCall>
  readonly finish: FinishReason
  readonly usage: Usage
  /** The service's own name of the request, for asking it about one. */
  readonly requestId?: string
  /** `provider/model` that answered. */
  readonly model: string
}

/** One thing that was mended in a reply without asking the model. */
export interface ReplyRepair {
  /** `missing_comma`, `unquoted_key`, `to_number` …: the kinds of @planloom/salvage. */
  readonly kind: string
  /** JSON Pointer of the value it concerns. */
  readonly path: string
  readonly detail?: string
}

/** 8 MiB: several times the longest reply of any model. A larger one is a fault of what lies in between. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024

/**
 * A model provider. Give `generate`, `stream`, or both; the engine uses `generate` where nobody
 * watches the parts. Must fail with `ModelFailed` only, must obey interruption, must not retry.
 */
export interface Provider {
  readonly id: string
  readonly summary: string
  /** Whether it can answer now, for `doctor` and for `otherwise:`; a reason when it cannot. */
  readonly available?: Effect<true | string>
  /** Loads a model ahead of its first request. Given only where that costs nothing: on a server of one's own. */
  readonly warm?: (model: string) => Effect<void, ModelFailed>
  /** Bytes that a reply's texts and tool calls may have together; `MAX_REPLY_BYTES` unless given. */
  readonly maxReplyBytes?: number
  /** Settings it leaves out of requests to this model, because they would be refused. */
  readonly omits?: (model: string) => ReadonlyArray<RequestSetting>
  readonly generate?: (request: ModelRequest) => Effect<Omit<ModelReply, "model">, ModelFailed>
  readonly stream?: (request: ModelRequest) => Stream<ModelPart, ModelFailed>
}

/** Turns texts into vectors, in order, all of one length. */
export interface Embedder {
  readonly id: string
  readonly summary: string
  readonly dimensions: number
  readonly embed: (texts: ReadonlyArray<string>) => Effect<ReadonlyArray<Float32Array>, ModelFailed>
}
