/** Models that ask as often as they may: they fail, are cut, give no JSON of the schema and call tools in every turn. */
import {
  ModelFailed,
  type JsonSchema,
  type ModelReply,
  type ModelRequest,
  type Provider,
} from "@planloom/plugin/effect"
import { factsOf, type Facts } from "@planloom/plugin/facts"
import {
  countOf,
  promptTokens,
  tokenCounter,
  type TokenCounter,
} from "../../../../engine/prompt/src/tokens/index.ts"
import * as Effect from "effect/Effect"

/** The act of a model on a request. */
export type Act = "fail" | "refuse" | "lose" | "cut" | "long" | "call" | "move" | "good"

/** `call` counts the requests of the run. */
export interface Strategy {
  (request: ModelRequest, call: number, model: string): Act
  /** The number of times that the service pauses the reply. */
  readonly pauses?: (call: number) => number
}

export interface Asker {
  readonly act: Strategy
  /** Requests that were refused because of their form. */
  refused: number
  /** Requests that were answered, those that continue a reply among them. */
  requests: number
  /** Tokens of the largest request. */
  largest: number
}

/** Requests of one call for JSON. */
export const FORMS = 3

/** Id of the provider whose service pauses replies. */
const PAUSING = "google"

/** Requests that continue one reply, at most. */
export const PAUSES = 4

/** A provider with the id of a real one, so that its models have the facts of the catalog. */
export const askingProvider = (id: string, facts: () => Facts, asker: Asker): Provider => {
  let calls = 0
  return {
    id,
    summary: "Asks as often as it may.",
    forms: FORMS,
    ...(id === PAUSING ? { continues: () => ({ most: PAUSES, adds: "reply" as const }) } : {}),
    // A reply of the other providers is paused, too: the engine does not let them continue it.
    generate: Effect.fnUntraced(function* (request, mayContinue) {
      const counter = yield* tokenCounter(factsOf(`${id}/${request.model}`, facts()))
      const call = ++calls
      if (request.output !== undefined) asker.refused += FORMS - 1
      const act = asker.act(request, call, `${id}/${request.model}`)
      let requests = 1
      const pauses = act === "fail" ? 0 : (asker.act.pauses?.(call) ?? 0)
      const { input, output } = sizeOf(request, counter)
      for (let pause = 0; pause < pauses; pause++) {
        const used = usageOf(input, output, requests)
        if (!(yield* mayContinue?.(used) ?? Effect.succeed(false))) break
        requests++
      }
      asker.requests += requests
      asker.largest = Math.max(asker.largest, input + requests * output)
      return yield* replyOf(act, request, call, counter, id, requests)
    }),
  }
}

const sizeOf = (request: ModelRequest, counter: TokenCounter) => ({
  input: promptTokens(request, counter),
  output: request.maxTokens ?? 100,
})

/** Each request sends what the ones before it wrote. */
const usageOf = (input: number, output: number, requests: number): ModelReply["usage"] => ({
  input: requests * input + (output * requests * (requests - 1)) / 2,
  output: requests * output,
})

const replyOf = (
  act: Act,
  request: ModelRequest,
  call: number,
  counter: TokenCounter,
  id: string,
  requests: number,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const { input, output } = sizeOf(request, counter)
  const most = requests * output
  const used = usageOf(input, output, requests)
  const failed = (reason: "unavailable" | "content_filter", usage?: ModelReply["usage"]) =>
    Effect.fail(
      new ModelFailed({
        class: reason,
        model: `${id}/${request.model}`,
        message: `it is ${reason}`,
        ...(usage === undefined ? {} : { usage }),
      }),
    )
  const written = (
    text: string,
    finish: ModelReply["finish"],
    toolCalls: ModelReply["toolCalls"] = [],
  ) => Effect.succeed({ text, reasoning: "", toolCalls, finish, usage: used })
  const text = longText(most, call, countOf(counter))
  const offered = request.tools ?? []
  const named = (name: string) => offered.find((tool) => tool.name === name)
  switch (act) {
    case "fail":
      return failed("unavailable")
    case "refuse":
      return failed("content_filter", used)
    case "lose":
      return failed("unavailable", used)
    case "cut":
      return written(text, "length")
    case "call": {
      const tool = named("ping") ?? named("search_documents")
      if (tool === undefined) return written(text, "stop")
      const given =
        tool.name === "ping" ? { text: text.slice(0, 40) } : { query: `ping me ${call}` }
      return written("Let me see.", "tool_calls", [
        { id: `c${call}`, name: tool.name, arguments: given },
      ])
    }
    case "move": {
      const tool = named("hand_over")
      return tool === undefined
        ? written(text, "stop")
        : written("", "tool_calls", [
            {
              id: `c${call}`,
              name: tool.name,
              arguments: { agent: heirOf(tool.parameters), reason: "it is theirs" },
            },
          ])
    }
    case "long":
      return written(text, "stop")
    case "good":
      return written(goodText(request), "stop")
  }
}

/** The first agent that may be handed over to. */
const heirOf = (params: JsonSchema): string =>
  (
    params as unknown as {
      readonly properties: { readonly agent: { readonly enum: ReadonlyArray<string> } }
    }
  ).properties.agent.enum[0]!

/** About as many tokens as a reply may have, and another text for each call. */
const longText = (most: number, call: number, count: (text: string) => number): string => {
  let text = `reply ${call}`
  for (let word = 0; ; word++) {
    const longer = `${text} word${call}x${word}`
    if (count(longer) > most) return text
    text = longer
  }
}

const pinging = { steps: [{ id: "ping", tool: "ping", params: { text: "hello" } }] }

const goodText = ({ output }: ModelRequest): string => {
  if (output === undefined) return "Fine."
  const { properties = {} } = output.schema as { readonly properties?: Record<string, unknown> }
  const has = (name: string) => Object.hasOwn(properties, name)
  if (has("verdict")) return JSON.stringify({ issues: [], verdict: "pass", certainty: 90 })
  return JSON.stringify({
    ...(has("n") ? { n: 1 } : {}),
    ...(has("plan") && !has("strategy") ? { plan: pinging } : {}),
    ...(has("strategy") ? { strategy: "rewrite", plan: pinging } : {}),
    ...(has("text") ? { text: "fine" } : {}),
    ...(has("value") ? { value: { n: 1 } } : {}),
    ...(has("confidence") ? { confidence: 0.9 } : {}),
  })
}
