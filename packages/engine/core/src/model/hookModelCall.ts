/** Hooks around a request to a model: they change its messages before it, and review its reply after it. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  toFailureRecord,
  type FailureRecord,
  type ModelReply,
  type ModelRequest,
  type Section,
} from "@planloom/plugin/effect"
import type { CallHooks, Surrounded } from "../hook/CallHooks.ts"

/** The call that the hooks surround, and the prompt that it sends. */
export interface HookedRequest extends Surrounded {
  readonly hooks: CallHooks
  readonly model: string
  readonly sections: ReadonlyArray<Section>
}

type Reply = Omit<ModelReply, "model">

/** The request that is sent. A failure before it is sent counts against no budget. */
export const hookedRequest = (
  call: HookedRequest,
  request: ModelRequest,
): Effect.Effect<ModelRequest, ModelFailed> => {
  const { hooks, model, sections } = call
  const { messages } = request
  return Effect.mapBoth(hooks.run("before_model", { system: sections, messages, model }, call), {
    onSuccess: (draft) =>
      draft.messages === messages ? request : { ...request, messages: draft.messages },
    onFailure: (failure) => modelFailed(model, { ...toFailureRecord(failure), unsent: true }),
  })
}

/** The reply, unless a review blocks it; its tokens are used all the same. */
export const reviewedReply = (
  call: HookedRequest,
  reply: Reply,
): Effect.Effect<Reply, ModelFailed> => {
  const { hooks, model } = call
  return Effect.mapBoth(hooks.run("after_model", { reply: { ...reply, model } }, call), {
    onSuccess: () => reply,
    onFailure: (failure) => modelFailed(model, { ...toFailureRecord(failure), usage: reply.usage }),
  })
}

const modelFailed = (model: string, failure: FailureRecord): ModelFailed =>
  new ModelFailed({ ...failure, model })
