/** One request to one provider, whichever way it answers. */
import * as Effect from "effect/Effect"
import { mostBytesOf, replyBytes, tooLarge } from "./replySize.ts"
import {
  ModelFailed,
  toFailureRecord,
  type ModelPart,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from "@planloom/plugin"
import type { ModelFacts } from "@planloom/plugin/facts"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import { settleUsage } from "./settleUsage.ts"

/** Fails with `ModelFailed` only; of a stream that is lost, what came of it counts as used. */
export const fromProvider = (
  { name, provider }: ModelChoice,
  request: ModelRequest,
  facts: ModelFacts | undefined,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const most = mostBytesOf(provider)
  if (provider.generate !== undefined) {
    return Effect.flatMap(provider.generate(request), (reply) =>
      replyBytes(reply, most) > most
        ? Effect.fail(tooLarge(name, most, reply.usage))
        : Effect.succeed(reply),
    )
  }
  const { stream } = provider
  if (stream !== undefined) {
    return Effect.flatMap(streamModule, (Stream) =>
      Effect.suspend(() => {
        let received = noParts()
        let bytes = 0
        const whole = Stream.runForEach(stream(request), (part) =>
          Effect.suspend(() => {
            bytes += partBytes(part, most)
            if (bytes > most) return Effect.fail(tooLarge(name, most))
            received = fold(received, part)
            return Effect.void
          }),
        )
        return Effect.matchEffect(whole, {
          onSuccess: () => {
            const { finished, ...reply } = received
            return finished ? Effect.succeed(reply) : Effect.fail(unfinished(name))
          },
          // What was received is known only here.
          onFailure: (failure) =>
            failure.usage?.estimated !== true || nothingIn(received)
              ? Effect.fail(failure)
              : Effect.flatMap(settleUsage(failure.usage, request, facts, received), (usage) =>
                  Effect.fail(
                    new ModelFailed({ ...toFailureRecord(failure), model: failure.model, usage }),
                  ),
                ),
        })
      }),
    )
  }
  return Effect.fail(
    new ModelFailed({
      class: "internal",
      model: name,
      message: `provider "${provider.id}" gives neither generate nor stream`,
    }),
  )
}

const unfinished = (model: string): ModelFailed =>
  new ModelFailed({
    class: "unavailable",
    model,
    message: "the reply ended without a finish",
    usage: { input: 0, output: 0, estimated: true },
  })

const nothingIn = ({ reasoning, text, toolCalls }: Folded): boolean =>
  text === "" && reasoning === "" && toolCalls.length === 0

/** Loaded with the first provider that streams: it is a third of what Effect costs at start. */
const streamModule = Effect.promise(() => import("effect/Stream"))

const partBytes = (part: ModelPart, most: number): number =>
  part.type === "finish"
    ? 0
    : replyBytes(
        part.type === "tool_call"
          ? { text: "", reasoning: "", toolCalls: [part.call] }
          : { text: part.text, reasoning: "", toolCalls: [] },
        most,
      )

interface Folded extends Omit<ModelReply, "model"> {
  readonly toolCalls: Array<ToolCall>
  readonly finished: boolean
}

const noParts = (): Folded => ({
  text: "",
  reasoning: "",
  toolCalls: [],
  finish: "other",
  usage: { input: 0, output: 0 },
  finished: false,
})

const fold = (reply: Folded, part: ModelPart): Folded => {
  switch (part.type) {
    case "text":
      return { ...reply, text: reply.text + part.text }
    case "reasoning":
      return { ...reply, reasoning: reply.reasoning + part.text }
    case "tool_call":
      // Not copied: a stream may have very many.
      reply.toolCalls.push(part.call)
      return reply
    case "finish": {
      const { reason: finish, requestId, usage } = part
      const named = requestId === undefined ? {} : { requestId }
      return { ...reply, ...named, finish, usage, finished: true }
    }
  }
}
