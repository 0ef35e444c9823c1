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
} from "../../../prompt/src/tokens/index.ts"
import * as Effect from "effect/Effect"

/** What a model does with a request. */
export type Act = "fail" | "refuse" | "lose" | "cut" | "long" | "call" | "move" | "good"

export interface Asker {
  /** `call` counts the requests of the run. */
  readonly act: (request: ModelRequest, call: number, model: string) => Act
  /** Requests that were refused because of their form. */
  refused: number
}

/** Requests of one call for JSON. */
export const FORMS = 3

/** A provider with the id of a real one, so that its models have the facts of the catalog. */
export const askingProvider = (id: string, facts: () => Facts, asker: Asker): Provider => {
  let calls = 0
  return {
    id,
    summary: "Asks as often as it may.",
    forms: FORMS,
    generate: (request) =>
      Effect.flatMap(tokenCounter(factsOf(`${id}/${request.model}`, facts())), (counter) => {
        const call = ++calls
        if (request.output !== undefined) asker.refused += FORMS - 1
        return replyOf(
          asker.act(request, call, `${id}/${request.model}`),
          request,
          call,
          counter,
          id,
        )
      }),
  }
}

const replyOf = (
  act: Act,
  request: ModelRequest,
  call: number,
  counter: TokenCounter,
  id: string,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const input = promptTokens(request, counter)
  const most = request.maxTokens ?? 100
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
  ) => Effect.succeed({ text, reasoning: "", toolCalls, finish, usage: { input, output: most } })
  const text = longText(most, call, countOf(counter))
  const offered = request.tools ?? []
  const named = (name: string) => offered.find((tool) => tool.name === name)
  switch (act) {
    case "fail":
      return failed("unavailable")
    case "refuse":
      return failed("content_filter", { input, output: most })
    case "lose":
      return failed("unavailable", { input, output: most })
    case "cut":
      return written(text, "length")
    case "call": {
      const tool = named("ping")
      return tool === undefined
        ? written(text, "stop")
        : written("Let me see.", "tool_calls", [
            { id: `c${call}`, name: tool.name, arguments: { text: text.slice(0, 40) } },
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

const goodText = ({ output }: ModelRequest): string => {
  if (output === undefined) return "Fine."
  const { properties = {} } = output.schema as { readonly properties?: Record<string, unknown> }
  const has = (name: string) => Object.hasOwn(properties, name)
  if (has("verdict")) return JSON.stringify({ issues: [], verdict: "pass", certainty: 90 })
  return JSON.stringify({
    ...(has("n") ? { n: 1 } : {}),
    ...(has("text") ? { text: "fine" } : {}),
    ...(has("value") ? { value: { n: 1 } } : {}),
    ...(has("confidence") ? { confidence: 0.9 } : {}),
  })
}
