/** One request to one provider, whichever way it answers. */
import * as Effect from "effect/Effect"
import { areRead, readCalls } from "../reply/readCalls.ts"
import { isTooLarge, mostBytesOf, replyBytes, textBytes, tooLarge } from "../reply/replySize.ts"
import type { ReplyReader } from "../reply/parts/ReplyReader.ts"
import {
  ModelFailed,
  toFailureRecord,
  type FinishReason,
  type MayContinue,
  type ModelPart,
  type ModelReply,
  type ModelRequest,
  type Provider,
  type RefusedForm,
  type ToolCall,
  type Usage,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import { loadedOnce } from "@planloom/plugin/late"
import { settleUsage, type Received } from "./settleUsage.ts"

/** What is known of a request while it is under way. */
export interface Progress {
  /** What of a streamed reply has arrived; undefined for one that comes whole. */
  received: Received | undefined
}

/**
 * Fails with `ModelFailed` only; of a stream that is lost, what came of it counts as used. With a reader the reply is
 * streamed if the provider can.
 */
export const fromProvider = (
  choice: ModelChoice,
  request: ModelRequest,
  progress: Progress,
  mayContinue: MayContinue,
  reader?: ReplyReader,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const { provider } = choice
  if (provider.generate !== undefined && (reader === undefined || provider.stream === undefined)) {
    return generated(choice, provider.generate(request, mayContinue))
  }
  if (provider.stream !== undefined) {
    return streamed(choice, () => provider.stream!(request, mayContinue), request, progress, reader)
  }
  return Effect.fail(
    new ModelFailed({
      class: "internal",
      model: choice.name,
      message: `provider "${provider.id}" gives neither generate nor stream`,
    }),
  )
}

// Functions of their own: V8 would make an object of what their closures capture for each call.

const generated = (
  { name, provider }: ModelChoice,
  made: ReturnType<NonNullable<Provider["generate"]>>,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> =>
  Effect.flatMap(made, (reply) => {
    const field = malformedField(reply)
    if (field !== undefined)
      return Effect.fail(malformed(name, provider.id, "returned a reply", field))
    const most = mostBytesOf(provider)
    return isTooLarge(reply, most)
      ? Effect.fail(tooLarge(name, most, reply.usage))
      : ended(name, reply)
  })

const streamed = (
  { facts, name, provider }: ModelChoice,
  stream: () => ReturnType<NonNullable<Provider["stream"]>>,
  request: ModelRequest,
  progress: Progress,
  reader: ReplyReader | undefined,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> =>
  Effect.flatMap(streamModule(), ({ eachArray }) =>
    Effect.suspend(() => {
      const most = mostBytesOf(provider)
      const received = noParts()
      progress.received = received
      let bytes = 0
      const whole = eachArray(stream(), (parts) => {
        let text = ""
        for (const part of parts) {
          const field = malformedIn(part)
          if (field !== undefined) {
            return Effect.fail(malformed(name, provider.id, "streamed a part", field))
          }
          bytes += partBytes(part, most)
          if (bytes > most) return Effect.fail(tooLarge(name, most))
          fold(received, part)
          if (part.type === "text") text += part.text
        }
        return text === "" ? undefined : reader?.push(text)
      })
      return Effect.matchEffect(whole, {
        onSuccess: () => {
          const { finished, ...reply } = received
          return finished ? ended(name, reply) : Effect.fail(unfinished(name))
        },
        // What was received is known only here.
        onFailure: (failure) => {
          const { usage: reported } = failure
          if (nothingIn(received) || (reported !== undefined && reported.estimated !== true)) {
            return Effect.fail(failure)
          }
          return Effect.flatMap(
            settleUsage({ ...noUsage, ...reported, estimated: true }, request, facts, received),
            (usage) =>
              Effect.fail(
                new ModelFailed({ ...toFailureRecord(failure), model: failure.model, usage }),
              ),
          )
        },
      })
    }),
  )

/** The first field that is missing or of another type: providers in plain JavaScript are not type-checked. */
const malformedField = (reply: Omit<ModelReply, "model"> | undefined): string | undefined => {
  if (typeof reply?.text !== "string") return "text"
  if (typeof reply.reasoning !== "string") return "reasoning"
  if (!Array.isArray(reply.toolCalls)) return "toolCalls"
  if (typeof reply.finish !== "string") return "finish"
  return isObject(reply.usage) ? undefined : "usage"
}

/** The same of a part of a stream. */
const malformedIn = (part: ModelPart | undefined): string | undefined => {
  switch (part?.type) {
    case "text":
    case "reasoning":
      return typeof part.text === "string" ? undefined : "text"
    case "tool_call":
      return isObject(part.call) && typeof part.call.name === "string" ? undefined : "call"
    case "finish":
      if (typeof part.reason !== "string") return "reason"
      return isObject(part.usage) ? undefined : "usage"
    default:
      return "type"
  }
}

const malformed = (model: string, provider: string, gave: string, field: string): ModelFailed =>
  new ModelFailed({
    class: "internal",
    model,
    message: `provider "${provider}" ${gave} without a valid "${field}"`,
  })

/** The reply with its calls as they can be read, unless its service broke it off: a reason that is not known may be such an end, too. */
const ended = <Reply extends Omit<ModelReply, "model">>(
  model: string,
  reply: Reply,
): Effect.Effect<Reply, ModelFailed> => {
  const { finish, requestId, toolCalls, usage } = reply
  return isAccepted[finish] === true
    ? areRead(toolCalls)
      ? Effect.succeed(reply)
      : Effect.mapEager(readCalls(toolCalls), (read) => ({ ...reply, toolCalls: read }))
    : Effect.fail(
        new ModelFailed({
          class: "unavailable",
          model,
          message: `the service ended the reply with "${finish}"`,
          usage,
          ...(requestId === undefined ? {} : { detail: { requestId } }),
        }),
      )
}

const isAccepted: { readonly [R in FinishReason]: boolean } = {
  stop: true,
  length: true,
  tool_calls: true,
  content_filter: true,
  paused: true,
  error: false,
}

const unfinished = (model: string): ModelFailed =>
  new ModelFailed({
    class: "unavailable",
    model,
    message: "the reply ended without a finish",
    usage: { input: 0, output: 0, estimated: true },
  })

const noUsage: Usage = { input: 0, output: 0 }

export const nothingIn = ({ reasoning, text, toolCalls }: Received): boolean =>
  text === "" && reasoning === "" && toolCalls.length === 0

/** Loaded with the first provider that streams: Effect's streams are a third of what Effect costs at start. */
const streamModule = loadedOnce(() => import("./eachArray.ts"))

const partBytes = (part: ModelPart, most: number): number => {
  switch (part.type) {
    case "finish":
      return 0
    case "tool_call":
      return replyBytes({ text: "", reasoning: "", toolCalls: [part.call] }, most)
    default:
      return textBytes(part.text, most)
  }
}

interface Folded extends Omit<ModelReply, "model"> {
  text: string
  reasoning: string
  readonly toolCalls: Array<ToolCall>
  finish: FinishReason
  usage: Usage
  requestId?: string
  refused?: RefusedForm
  finished: boolean
}

const noParts = (): Folded => ({
  text: "",
  reasoning: "",
  toolCalls: [],
  finish: "error",
  usage: noUsage,
  finished: false,
})

/** Adds in place: a stream may have very many parts. */
const fold = (reply: Folded, part: ModelPart): void => {
  switch (part.type) {
    case "text":
      reply.text += part.text
      return
    case "reasoning":
      reply.reasoning += part.text
      return
    case "tool_call":
      reply.toolCalls.push(part.call)
      return
    case "finish":
      reply.finish = part.reason
      reply.usage = part.usage
      if (part.requestId !== undefined) reply.requestId = part.requestId
      if (part.refused !== undefined) reply.refused = part.refused
      reply.finished = true
  }
}
