/** Models behind any server that speaks OpenAI's protocol, through OpenAI's SDK. */
import type { ChatCompletionChunk } from "openai/resources/chat/completions"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed, ModelRequest, Provider } from "@planloom/plugin"
import {
  askParts,
  askWhole,
  failureOf,
  ownLimit,
  readParts,
  unreadable,
  type Asking,
  type Wire,
} from "@planloom/provider-kit"
import { available } from "./available.ts"
import { chunkReader } from "./chunkReader.ts"
import { clientFor, keyOf, secretsOf } from "./client.ts"
import { isRequestSetting, type ServerOptions, type StructuredMode } from "./options.ts"
import { streamOptions, toolFor, toParams } from "./toParams.ts"
import { toReply } from "./toReply.ts"
import { helpful, insteadOf, troubleFor } from "./toTrouble.ts"
import { Modes } from "./Modes.ts"

export interface OpenAiProvider extends Provider {
  /** Asks for one token, so that a local server has the model loaded when it is needed. */
  readonly load: (model: string) => Effect.Effect<void, ModelFailed>
}

export const openai = (server: ServerOptions): OpenAiProvider => {
  const client = clientFor(server)
  const modes = new Modes()
  const name = ({ model }: ModelRequest) => `${server.id}/${model}`
  const askingFor = (request: ModelRequest): Asking => ({
    model: name(request),
    limits: server.limits,
    trouble: troubleFor(server, request.model),
    secrets: secretsOf(server),
    ...keyOf(server),
  })

  const generate = (request: ModelRequest, mode: StructuredMode) =>
    Effect.flatMap(client(name(request)), (begin) =>
      Effect.flatMap(
        askWhole(askingFor(request), async (wire) => {
          const completion = await begin(wire).chat.completions.create(
            toParams(request, mode, server),
            { signal: wire.signal },
          )
          const reply = toReply(completion, wire.requestId, toolFor(request, mode)?.name)
          if ("text" in reply) return reply
          return reply.message === unreadable.message
            ? (insteadOf(wire, server, request.model) ?? reply)
            : helpful(reply, server, request.model)
        }),
        (reply) =>
          "text" in reply
            ? Effect.succeed(reply)
            : Effect.fail(failureOf(name(request), reply, secretsOf(server), server.key?.name)),
      ),
    )

  const stream = (request: ModelRequest, mode: StructuredMode) =>
    Stream.unwrap(
      Effect.map(client(name(request)), (begin) => {
        let opened: Wire | undefined
        const chunks = askParts<ChatCompletionChunk>(askingFor(request), (wire) => {
          opened = wire
          return begin(wire).chat.completions.create(
            {
              ...toParams(request, mode, server),
              ...streamOptions(request, server),
              stream: true,
            },
            { signal: wire.signal },
          )
        })
        return readParts(
          name(request),
          chunks,
          () =>
            chunkReader({
              requestId: () => opened?.requestId,
              ended: () => opened?.tail.trimEnd().endsWith("[DONE]") === true,
              instead: () => opened && insteadOf(opened, server, request.model),
              answer: toolFor(request, mode)?.name,
            }),
          server.limits.maxReplyBytes,
        )
      }),
    )

  const load = (model: string) =>
    Effect.asVoid(
      generate(
        { model, system: [], messages: [{ role: "user", content: "hi" }], maxTokens: 1 },
        "none",
      ),
    )

  return {
    id: server.id,
    summary: server.summary,
    ...ownLimit(server.limits),
    omits: (model) => server.model(model).omit.filter(isRequestSetting),
    available: available(server),
    generate: (request) =>
      Effect.suspend(() => {
        const mode = modes.of(request, server)
        return Effect.catch(generate(request, mode), (failure) => {
          const next = modes.after(request, mode, failure, server)
          return next === undefined
            ? Effect.fail(failure)
            : Effect.tapError(generate(request, next), (refusal) =>
                Effect.sync(() => modes.after(request, next, refusal, server)),
              )
        })
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const mode = modes.of(request, server)
        return Stream.catch(stream(request, mode), (failure) => {
          const next = modes.after(request, mode, failure, server)
          return next === undefined
            ? Stream.fail(failure)
            : Stream.tapError(stream(request, next), (refusal) =>
                Effect.sync(() => modes.after(request, next, refusal, server)),
              )
        })
      }),
    load,
    // Whoever wants a key wants money.
    ...(server.key === undefined ? { warm: load } : {}),
  }
}
