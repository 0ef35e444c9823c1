/** A model provider that answers from a script and remembers what it was asked. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  failureClasses,
  ModelFailed,
  type ModelPart,
  type ModelReply,
  type ModelRequest,
  type Provider,
  type ToolCall,
} from "@planloom/plugin/effect"
import { plural, Script } from "./Script.ts"
import type { ScriptedReply } from "../file/WorkflowTest.ts"

export interface ScriptedProvider extends Provider {
  readonly generate: NonNullable<Provider["generate"]>
  readonly stream: NonNullable<Provider["stream"]>
  /** Every request so far, in the order they came. */
  readonly requests: ReadonlyArray<ModelRequest>
  /** One sentence for each request that no reply was left for. */
  readonly refused: ReadonlyArray<string>
  /** Unused replies, with their index in the list of their model. */
  readonly unused: () => ReadonlyArray<{
    readonly model: string
    readonly index: number
    readonly reply: ScriptedReply
  }>
  /** Throws when replies are left, or when a request found none. */
  readonly assertExhausted: () => void
}

/**
 * `script` is a list for every model of this provider, or a list for each model by its name. Each
 * request takes the first unused reply whose `when`, if any, it contains. A request that finds none
 * fails with class `internal`, so that no retry and no fallback hides it. Tokens are those the reply
 * names, none otherwise. A `delay` is waited on Effect's clock.
 */
export const scriptedProvider = (
  script: ReadonlyArray<ScriptedReply> | { readonly [model: string]: ReadonlyArray<ScriptedReply> },
  options: { readonly id?: string } = {},
): ScriptedProvider => {
  const id = options.id ?? "scripted"
  const all = isList(script) ? new Script(id, script) : undefined
  const byModel = new Map(
    isList(script)
      ? []
      : Object.entries(script).map(([name, replies]) => [name, new Script(name, replies)]),
  )
  const scripts = all === undefined ? [...byModel.values()] : [all]
  const requests: Array<ModelRequest> = []
  const refused: Array<string> = []
  let called = 0

  const take = (request: ModelRequest): Effect.Effect<ScriptedReply, ModelFailed> =>
    Effect.suspend(() => {
      requests.push(request)
      const chosen = all ?? byModel.get(request.model)
      const reply = chosen?.next(request) ?? `there is no script for the model "${request.model}"`
      if (typeof reply !== "string") {
        return reply.delay === undefined
          ? Effect.succeed(reply)
          : Effect.as(Effect.sleep(reply.delay), reply)
      }
      refused.push(reply)
      return Effect.fail(
        new ModelFailed({ class: "internal", model: `${id}/${request.model}`, message: reply }),
      )
    })

  const calls = (reply: ScriptedReply): ReadonlyArray<ToolCall> =>
    (reply.tool_calls ?? []).map((call) => ({ id: `call_${++called}`, ...call }))

  const failure = (reply: ScriptedReply, request: ModelRequest) => {
    const { class: reason, detail, message, retry_after: retryAfter } = reply.fail!
    return new ModelFailed({
      class: reason,
      model: `${id}/${request.model}`,
      message: message ?? failureClasses[reason],
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  }

  const unused = () =>
    scripts.flatMap((one) =>
      one.unused().map(([index, reply]) => ({ model: one.name, index, reply })),
    )

  return {
    id,
    summary: "Answers from a script.",
    available: Effect.succeed(true),
    requests,
    refused,
    unused,
    assertExhausted: () => {
      const left = unused().map(
        ({ index, model, reply }) => `reply ${index + 1} of "${model}": ${JSON.stringify(reply)}`,
      )
      if (refused.length > 0) throw new Error(refused.join("\n"))
      if (left.length > 0) {
        throw new Error(`${plural(left.length, "reply", "replies")} not used:\n${left.join("\n")}`)
      }
    },
    generate: (request) =>
      Effect.flatMap(take(request), (reply) =>
        reply.fail === undefined
          ? Effect.succeed(whole(reply, calls(reply)))
          : Effect.fail(failure(reply, request)),
      ),
    stream: (request) =>
      Stream.unwrap(
        Effect.map(take(request), (reply) =>
          reply.fail === undefined
            ? Stream.fromIterable(parts(reply, calls(reply)))
            : Stream.concat(
                Stream.fromIterable(pieces(reply)),
                Stream.fail(failure(reply, request)),
              ),
        ),
      ),
  }
}

const isList = <A>(value: ReadonlyArray<A> | object): value is ReadonlyArray<A> =>
  Array.isArray(value)

const textOf = (reply: ScriptedReply): string =>
  reply.json === undefined
    ? (reply.text ?? reply.chunks?.join("") ?? "")
    : JSON.stringify(reply.json)

const whole = (
  reply: ScriptedReply,
  toolCalls: ReadonlyArray<ToolCall>,
): Omit<ModelReply, "model"> => ({
  text: textOf(reply),
  reasoning: reply.reasoning ?? "",
  toolCalls,
  finish: reply.cut === true ? "length" : toolCalls.length === 0 ? "stop" : "tool_calls",
  usage: reply.usage ?? { input: 0, output: 0 },
})

const pieces = (reply: ScriptedReply): ReadonlyArray<ModelPart> => [
  ...(reply.reasoning === undefined ? [] : [{ type: "reasoning", text: reply.reasoning } as const]),
  ...(reply.chunks ?? [textOf(reply)])
    .filter((text) => text !== "")
    .map((text) => ({ type: "text", text }) as const),
]

const parts = (
  reply: ScriptedReply,
  toolCalls: ReadonlyArray<ToolCall>,
): ReadonlyArray<ModelPart> => {
  const { finish, usage } = whole(reply, toolCalls)
  return [
    ...pieces(reply),
    ...toolCalls.map((call) => ({ type: "tool_call", call }) as const),
    { type: "finish", reason: finish, usage },
  ]
}
