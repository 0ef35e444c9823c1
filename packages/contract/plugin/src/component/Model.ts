/** Model providers, embedders and rerankers: requests, replies and stream parts as plain data. */
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { ModelFailed } from "../run/Failure.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { Usage } from "../run/Usage.ts"

/** Bytes of an image that a stage attaches. Services limit a request to some 20 MB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/**
 * A piece of a message. The data of an image is base64; that of a file (`StageContext.image`) is `sha256:…` until the
 * request is sent.
 */
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
  /** The arguments as the model wrote them, where that is not one JSON object; a provider then leaves `arguments` empty. */
  readonly written?: string
  /** Set by the engine if `written` cannot be read without a guess: its beginning. The call is not made. */
  readonly unread?: string
  /**
   * What the service needs back of the whole reply: thoughts with their signatures, citations. It is on the first call of
   * the reply and opaque: return the call unchanged.
   */
  readonly signature?: string
}

/** Stable system text; `cache` marks the end of a prefix the provider may keep. */
export interface SystemBlock {
  readonly text: string
  readonly cache?: boolean
}

/**
 * Method of requesting JSON: natively by schema, as the arguments of one required tool, or in the prompt only. In
 * each case the reply's `text` is the JSON.
 */
export type OutputForm = "json_schema" | "tool" | "text"

/** How much a model reasons before it answers; `max` is the most that its service offers. */
export type ReasoningLevel = "none" | "minimal" | "low" | "medium" | "high" | "max"

export interface ModelRequest {
  /** The provider's name of the model: `claude-sonnet`, not `anthropic/claude-sonnet`. */
  readonly model: string
  readonly system: ReadonlyArray<SystemBlock>
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
  }>
  /** Requests JSON of this shape; a provider without a native mode ignores it, and the engine parses the text. */
  readonly output?: {
    readonly name: string
    readonly schema: JsonSchema
    /** Preferred form for this model; without one, or if it is unsupported, the provider chooses. */
    readonly form?: OutputForm
    /** Whether the prompt already describes this JSON. */
    readonly described?: boolean
  }
  readonly temperature?: number
  readonly topK?: number
  readonly maxTokens?: number
  readonly stop?: ReadonlyArray<string>
  /** Without it, the model's own default applies. A level the service does not know is sent, and rejected there. */
  readonly reasoning?: ReasoningLevel
  /** Fields of the service's own, added to the body of the request. They never replace those that the provider sets. */
  readonly options?: JsonObject
  /** A whole number from 0: the same seed requests the same reply, as far as the service supports it. */
  readonly seed?: number
}

/** Request settings that some models reject, as named under `models:`. */
export type RequestSetting = "temperature" | "top_k" | "seed" | "stop"

/**
 * The reason why a reply ended. `paused`: the service has not finished it, and the provider cannot continue it. `error`: the service
 * broke it off. A reply that ends with `error`, or with a reason not listed here, fails with class `unavailable`.
 */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "paused" | "error"

/** Whether a reply did not end by itself, so that some of it is missing. */
export const isCut = (finish: FinishReason): boolean => finish === "length" || finish === "paused"

/** A form of requesting JSON that the service refused before it answered in another one. */
export interface RefusedForm {
  readonly form: string
  readonly used: string
  /** The service's reason. */
  readonly message: string
}

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
      readonly refused?: RefusedForm
    }

/** The whole of one reply: the fold of its parts. */
export interface ModelReply {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: ReadonlyArray<ToolCall>
  readonly finish: FinishReason
  readonly usage: Usage
  /** The service's request id, for support requests. */
  readonly requestId?: string
  readonly refused?: RefusedForm
  /** Set if a gate has blocked the text: it stands in its place. */
  readonly blocked?: true
  /** `provider/model` that answered. */
  readonly model: string
}

/** A repair of a reply made without the model. */
export interface ReplyRepair {
  /** `missing_comma`, `unquoted_key`, `to_number` …: the kinds of @planloom/salvage. */
  readonly kind: string
  /** JSON Pointer of the affected value. */
  readonly path: string
  readonly detail?: string
}

/** 8 MiB: several times the longest reply of any model. A larger one indicates a defect of the service or a proxy. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024

/** Requests that continue a reply which its service has paused. */
export interface Continuations {
  /** Requests besides the first. */
  readonly most: number
  /**
   * Their content besides the first request: what the model has written so far (`reply`), or also texts of the service,
   * such as results of its own tools (`open`).
   */
  readonly adds: "reply" | "open"
}

/** Counts one more request of a call, and comes to false if it must not be sent. `used`: what the call has taken so far. */
export type MayContinue = (used: Usage) => Effect<boolean>

/**
 * A model provider. Implement `generate`, `stream`, or both; the engine uses `generate` if no consumer reads the
 * parts. Must fail with `ModelFailed` only, must be interruptible, must not retry.
 */
export interface Provider {
  readonly id: string
  readonly summary: string
  /** Whether it is available, for `doctor` and `otherwise:`; if not, the reason. */
  readonly available?: Effect<true | string>
  /** Whether its service lists this model, asked before a swap to it; if not, the reason. A service without a list comes to true. */
  readonly lists?: (model: string) => Effect<true | string>
  /** Loads a model before its first request. Only for self-hosted servers, where that costs nothing. */
  readonly warm?: (model: string) => Effect<void, ModelFailed>
  /**
   * The most requests that one call for JSON makes, if the service refuses the form of the request and another form is
   * tried; 1 unless given.
   */
  readonly forms?: number
  /** Maximum total bytes of a reply's texts and tool calls; default `MAX_REPLY_BYTES`. */
  readonly maxReplyBytes?: number
  /** Settings omitted from requests to this model, because it rejects them, possibly only while it reasons. */
  readonly omits?: (model: string, reasoning?: ReasoningLevel) => ReadonlyArray<RequestSetting>
  /**
   * The requests that may continue a reply of a request with these options, because the service pauses it; none unless
   * given. Ask `mayContinue` before each of them; without it, or if it comes to false, the reply ends as `paused`.
   */
  readonly continues?: (options: JsonObject | undefined) => Continuations | undefined
  readonly generate?: (
    request: ModelRequest,
    mayContinue?: MayContinue,
  ) => Effect<Omit<ModelReply, "model">, ModelFailed>
  readonly stream?: (
    request: ModelRequest,
    mayContinue?: MayContinue,
  ) => Stream<ModelPart, ModelFailed>
}

/** The vectors of texts, in order. */
export interface Embedded {
  readonly vectors: ReadonlyArray<Float32Array>
  /** As the service reported; the engine estimates them otherwise. */
  readonly tokens?: number
}

/** Turns texts into vectors, all of one length. Must fail with `ModelFailed` only, must be interruptible, must not retry. */
export interface Embedder {
  readonly id: string
  readonly summary: string
  /** `service/model`, for events, prices and budgets. */
  readonly model: string
  readonly dimensions: number
  /** Sends as many requests as the service's limit of texts demands. */
  readonly embed: (texts: ReadonlyArray<string>) => Effect<Embedded, ModelFailed>
}

/** Relevance of texts to a query, in their order. */
export interface Reranked {
  /** Finite numbers, higher for more relevant ones; scores of two calls do not compare. */
  readonly scores: ReadonlyArray<number>
  /** As the service reported; the engine estimates them otherwise. */
  readonly tokens?: number
}

/** Scores texts by their relevance to a query. Must fail with `ModelFailed` only, must be interruptible, must not retry. */
export interface Reranker {
  readonly id: string
  readonly summary: string
  /** `service/model`, for events, prices and budgets. */
  readonly model: string
  readonly rerank: (query: string, texts: ReadonlyArray<string>) => Effect<Reranked, ModelFailed>
}
