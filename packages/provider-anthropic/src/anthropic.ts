/** Claude models through Anthropic's SDK. */
import type Anthropic from "@anthropic-ai/sdk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelRequest, Provider } from "@planloom/plugin"
import {
  askParts,
  askWhole,
  failureOf,
  missingKey,
  ownLimit,
  readParts,
  type Asking,
  type Wire,
} from "@planloom/provider-kit"
import { eventReader } from "./eventReader.ts"
import { takesSampling, type AnthropicOptions } from "./options.ts"
import { outputForm, type Narrow } from "./outputForm.ts"
import { toParams } from "./toParams.ts"
import { toReply } from "./toReply.ts"
import { toTrouble } from "./toTrouble.ts"

const ID = "anthropic"

/** Loaded with the first call: a quarter of a second that a workflow without it need not spend. */
const sdk = Effect.promise(async () => {
  const [{ default: Client }, { transformJSONSchema }] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/lib/transform-json-schema"),
  ])
  return { Client, narrow: transformJSONSchema as unknown as Narrow }
})

export const anthropic = (options: AnthropicOptions): Provider => {
  const { key } = options
  const askingFor = ({ model }: ModelRequest): Asking => ({
    model: `${ID}/${model}`,
    limits: options.limits,
    trouble: toTrouble,
    secrets: key.value === undefined ? [] : [key.value],
    key: key.name,
  })
  /** A client for each request is an object and no connection: those are Node's and kept alive there. */
  const begin = (Client: typeof Anthropic, wire: Wire) =>
    new Client({
      apiKey: key.value ?? null,
      baseURL: options.baseUrl,
      fetch: wire.fetch,
      maxRetries: 0,
      // Ours are the limits; without one of its own the SDK refuses long replies in one piece.
      timeout: options.limits.timeout + options.limits.stall,
      logLevel: "off",
      openTelemetry: false,
      defaultHeaders:
        options.apiVersion === undefined
          ? {}
          : { "anthropic-version": options.apiVersion, "x-api-key": key.value ?? null },
    })
  const prepared = (request: ModelRequest) =>
    key.value === undefined
      ? Effect.fail(
          failureOf(`${ID}/${request.model}`, {
            class: "auth",
            message: missingKey(key),
            unsent: true,
          }),
        )
      : Effect.map(sdk, ({ Client, narrow }) => {
          const form = outputForm(request, options, narrow)
          return { Client, form, params: toParams(request, form, options) }
        })
  return {
    id: ID,
    summary: "Claude models of Anthropic.",
    ...ownLimit(options.limits),
    omits: () => (takesSampling(options) ? ["seed"] : ["temperature", "top_k", "seed"]),
    available: Effect.succeed(key.value === undefined ? missingKey(key) : true),
    generate: (request) =>
      Effect.flatMap(prepared(request), ({ Client, form, params }) =>
        Effect.flatMap(
          askWhole(askingFor(request), async (wire) => {
            const message = await begin(Client, wire).messages.create(params, {
              signal: wire.signal,
            })
            return toReply(message, form, wire.requestId)
          }),
          (reply) =>
            "text" in reply
              ? Effect.succeed(reply)
              : Effect.fail(failureOf(`${ID}/${request.model}`, reply, askingFor(request).secrets)),
        ),
      ),
    stream: (request) =>
      Stream.unwrap(
        Effect.map(prepared(request), ({ Client, form, params }) => {
          let opened: Wire | undefined
          const events = askParts(askingFor(request), (wire) => {
            opened = wire
            return begin(Client, wire).messages.create(
              { ...params, stream: true },
              { signal: wire.signal },
            )
          })
          return readParts(
            `${ID}/${request.model}`,
            events,
            () => eventReader(form, () => opened?.requestId),
            options.limits.maxReplyBytes,
          )
        }),
      ),
  }
}
