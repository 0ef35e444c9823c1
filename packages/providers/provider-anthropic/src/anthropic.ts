/** Model provider for Claude, on Anthropic's SDK. */
import type Anthropic from "@anthropic-ai/sdk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  JsonObject,
  MayContinue,
  ModelPart,
  ModelRequest,
  Provider,
} from "@planloom/plugin/effect"
import {
  chunksOfTurn,
  isProviderError,
  readWholeTurn,
  streamRequest,
  sendRequest,
  toModelFailed,
  listed,
  loadSdk,
  MAX_CONTINUATIONS,
  RefusedForms,
  missingKeyMessage,
  replySizeLimit,
  readParts,
  type RequestOptions,
  type HttpExchange,
  withServiceNames,
} from "@planloom/provider-kit"
import { asEvents } from "./asEvents.ts"
import { eventReader } from "./eventReader.ts"
import { acceptsSampling, type AnthropicOptions } from "./options.ts"
import { outputForms, type NarrowSchema, type OutputForm } from "./outputForms.ts"
import { rejectsSampling } from "./reasoning.ts"
import { toParams } from "./toParams.ts"
import { toProviderError } from "./toProviderError.ts"

const ID = "anthropic"

type Paused = ReadonlyArray<Anthropic.ContentBlock> | undefined

/** Loaded with the first request: it takes a quarter of a second, which other workflows save. */
const sdk = loadSdk("@anthropic-ai/sdk", async () => {
  const [{ default: Client }, { transformJSONSchema }] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/lib/transform-json-schema"),
  ])
  return { Client, narrow: transformJSONSchema as unknown as NarrowSchema }
})

export const anthropic = (options: AnthropicOptions): Provider => {
  const { key } = options
  const requestOptionsFor = ({ model }: Pick<ModelRequest, "model">): RequestOptions => ({
    model: `${ID}/${model}`,
    limits: options.limits,
    toProviderError,
    secrets: key.value === undefined ? [] : [key.value],
    key: key.name,
  })
  /** One client per request: clients hold no connections, Node pools them and keeps them alive. */
  const createClient = (Client: typeof Anthropic, exchange: HttpExchange) =>
    new Client({
      apiKey: key.value ?? null,
      baseURL: options.baseUrl,
      fetch: exchange.fetch,
      maxRetries: 0,
      // The limits are the kit's; without a timeout the SDK refuses long replies that are not streamed.
      timeout: options.limits.timeout + options.limits.stall,
      logLevel: "off",
      openTelemetry: false,
      defaultHeaders:
        options.apiVersion === undefined
          ? {}
          : { "anthropic-version": options.apiVersion, "x-api-key": key.value ?? null },
    })
  const prepare = (request: ModelRequest) =>
    key.value === undefined
      ? Effect.fail(
          toModelFailed(`${ID}/${request.model}`, {
            class: "auth",
            message: missingKeyMessage(key),
            unsent: true,
          }),
        )
      : Effect.map(sdk(`${ID}/${request.model}`), ({ Client, narrow }) => ({
          Client,
          forms: outputForms(request, options, narrow),
        }))
  const refused = new RefusedForms<OutputForm["form"]>({ plain: "text", tool: "tool" })
  const generate = (
    Client: typeof Anthropic,
    request: ModelRequest,
    form: OutputForm,
    mayContinue: MayContinue | undefined,
  ) =>
    Effect.suspend(() => {
      let opened: HttpExchange | undefined
      const reader = eventReader(request.model, form, () => opened?.requestId)
      const send = (paused: Paused) =>
        sendRequest(requestOptionsFor(request), (exchange) => {
          opened = exchange
          return createClient(Client, exchange).messages.create(
            toParams(request, form, options, paused),
            { signal: exchange.signal },
          )
        })
      const read = (message: Anthropic.Message) => {
        const events = asEvents(message)
        if (isProviderError(events)) return events
        const parts: Array<ModelPart> = []
        for (const event of events) {
          const more = reader.read(event)
          if (isProviderError(more)) return more
          parts.push(...more)
        }
        return parts
      }
      return readWholeTurn(`${ID}/${request.model}`, send, { ...reader, read }, mayContinue)
    })
  const stream = (
    Client: typeof Anthropic,
    request: ModelRequest,
    form: OutputForm,
    mayContinue: MayContinue | undefined,
  ) => {
    let opened: HttpExchange | undefined
    const reader = eventReader(request.model, form, () => opened?.requestId)
    const send = (paused: Paused) =>
      streamRequest(requestOptionsFor(request), (exchange) => {
        opened = exchange
        return createClient(Client, exchange).messages.create(
          { ...toParams(request, form, options, paused), stream: true },
          { signal: exchange.signal },
        )
      })
    const { maxReplyBytes } = options.limits
    const events = chunksOfTurn(send, reader, mayContinue)
    return readParts(`${ID}/${request.model}`, events, () => reader, maxReplyBytes)
  }
  return withServiceNames({
    id: ID,
    summary: "Claude models of Anthropic.",
    forms: 3,
    ...replySizeLimit(options.limits),
    omits: (model, reasoning) =>
      acceptsSampling(options) && !rejectsSampling(model, reasoning)
        ? ["seed"]
        : ["temperature", "top_k", "seed"],
    available: Effect.succeed(key.value === undefined ? missingKeyMessage(key) : true),
    lists: (model) =>
      listed(
        Effect.flatMap(sdk(`${ID}/${model}`), ({ Client }) =>
          sendRequest(requestOptionsFor({ model }), (exchange) =>
            createClient(Client, exchange).models.retrieve(model, {}, { signal: exchange.signal }),
          ),
        ),
      ),
    continues: (given) =>
      worksItself(given) ? { most: MAX_CONTINUATIONS, adds: "open" } : undefined,
    generate: (request, mayContinue) =>
      Effect.flatMap(prepare(request), ({ Client, forms }) =>
        refused.generate(request, namesOf(forms), (name) =>
          generate(Client, request, named(forms, name), mayContinue),
        ),
      ),
    stream: (request, mayContinue) =>
      Stream.unwrap(
        Effect.map(prepare(request), ({ Client, forms }) =>
          refused.stream(request, namesOf(forms), (name) =>
            stream(Client, request, named(forms, name), mayContinue),
          ),
        ),
      ),
  })
}

const namesOf = (forms: ReadonlyArray<OutputForm>) => forms.map(({ form }) => form)

const named = (forms: ReadonlyArray<OutputForm>, name: OutputForm["form"]): OutputForm =>
  forms.find(({ form }) => form === name)!

/** Whether the service runs tools of its own for the request: it pauses a reply only while these run. */
const worksItself = (options: JsonObject | undefined): boolean =>
  options !== undefined &&
  (Object.hasOwn(options, "mcp_servers") || Object.hasOwn(options, "container"))
