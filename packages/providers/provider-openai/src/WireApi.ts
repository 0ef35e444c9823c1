/** A wire form of the protocol: chat completions, or responses. */
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { ModelFailed, ModelPart, ModelReply, ModelRequest } from "@planloom/plugin/effect"
import type { RequestOptions } from "@planloom/provider-kit"
import type { clientFor } from "./client.ts"
import type { ServerOptions } from "./options.ts"
import type { StructuredMode } from "./Setting.ts"
import type { Origin } from "./completion.ts"

export interface WireApi {
  readonly generate: (
    request: ModelRequest,
    mode: StructuredMode,
  ) => Effect<Omit<ModelReply, "model">, ModelFailed>
  readonly stream: (request: ModelRequest, mode: StructuredMode) => Stream<ModelPart, ModelFailed>
}

/** What both wire forms use of the provider. */
export interface WireContext {
  readonly server: ServerOptions
  readonly client: ReturnType<typeof clientFor>
  /** `server/model`, for failures. */
  readonly name: (request: ModelRequest) => string
  readonly originOf: (request: ModelRequest) => Origin
  readonly requestOptionsFor: (request: ModelRequest) => RequestOptions
}
