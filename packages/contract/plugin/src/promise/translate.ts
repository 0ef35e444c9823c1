/** A context of the contract → its promise-style form: members are translated when they are read. */
import * as Effect from "effect/Effect"
import type { AgentLimits, Ask } from "../component/ModelClient.ts"
import type { ModelClient } from "./Async.ts"
import type { AsyncCall } from "./AsyncCall.ts"
import { fromAsync } from "./fromAsync.ts"
import { recordedFailure, stageFailure } from "./Thrown.ts"

type Call = AsyncCall<any, any>

/** Reads through to the context, which may have accessors and private state. */
export const translate = (context: object, call: Call, own?: Own): object =>
  new Proxy(new Translation(context, call, own), handler)

/** Members in place of those of the context. */
type Own = { readonly [name: string]: unknown } | undefined

class Translation {
  readonly #context: object
  readonly #call: Call
  readonly #own: Own

  constructor(context: object, call: Call, own: Own) {
    this.#context = context
    this.#call = call
    this.#own = own
  }

  static get(of: Translation, name: string | symbol): unknown {
    const context = of.#context
    const call = of.#call
    const own = of.#own
    if (own !== undefined && Object.hasOwn(own, name)) return own[name as string]
    return name === "signal" && !(name in context)
      ? call.signal
      : member(name, Reflect.get(context, name, context), context, call)
  }

  static has(of: Translation, name: string | symbol): boolean {
    return name === "signal" || name in of.#context
  }
}

/** One for all: handlers of its own would take as long to make as the rest of a translation. */
const handler: ProxyHandler<Translation> = { get: Translation.get, has: Translation.has }

const member = (name: string | symbol, value: unknown, of: object, call: Call): unknown => {
  if (typeof value !== "function") {
    return Effect.isEffect(value)
      ? () => settled(call.run(value as Effect.Effect<unknown, unknown>), call)
      : translated(value, call)
  }
  if (name === "step") {
    return (step: string, work: () => unknown) =>
      call.run(value.call(of, step, fromAsync(work, recordedFailure)))
  }
  if (name === "agent") {
    return (ask: Ask, limits: AsyncLimits) => call.run(value.call(of, ask, effectLimits(limits)))
  }
  return (...given: ReadonlyArray<unknown>) => returned(value.apply(of, given), call)
}

type AsyncLimits = Parameters<ModelClient["agent"]>[1]

const effectLimits = ({ stopWhen, ...limits }: AsyncLimits): AgentLimits => ({
  ...limits,
  ...(stopWhen === undefined
    ? {}
    : { stopWhen: (calls) => fromAsync(() => stopWhen(calls), stageFailure) }),
})

const returned = (value: unknown, call: Call): unknown =>
  Effect.isEffect(value)
    ? settled(call.run(value as Effect.Effect<unknown, unknown>), call)
    : translated(value, call)

const settled = (promise: Promise<unknown>, call: Call): Promise<unknown> => {
  const result = promise.then((value) => translated(value, call))
  result.catch(() => {})
  return result
}

/** An object with functions or effects, such as an index or a collection; data stays the same value. */
const translated = (value: unknown, call: Call): unknown => {
  return acts(value) ? translate(value, call) : value
}

const acts = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    return !(ArrayBuffer.isView(value) || value instanceof Error)
  }
  return Object.values(value).some((one) => typeof one === "function" || Effect.isEffect(one))
}
