/** Describes calls of models and tools by the GenAI semantic conventions, and of hooks; a further kind is one more entry. */
import type { FailureRecord, RunEvent } from "@planloom/plugin/effect"
import type { Attributes } from "./Span.ts"

/** Providers whose name in the conventions differs from their id. */
const providerNames: { readonly [id: string]: string } = { google: "gcp.gemini" }

/** A call that has ended. */
export interface Call {
  readonly name: string
  readonly kind: "client" | "internal"
  readonly ms: number
  readonly failure: FailureRecord | undefined
  readonly attributes: Attributes
}

type Called<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>

type CallEvent = Called<"HookRan" | "ModelCalled" | "ToolCalled">

const describers: {
  readonly [T in CallEvent["type"]]: (event: Extract<CallEvent, { readonly type: T }>) => Call
} = {
  // Emitted for hooks that acted or failed.
  HookRan: (event) => ({
    name: `hook ${event.hook}`,
    kind: "internal",
    ms: event.ms,
    failure: event.failure,
    attributes: {
      "planloom.hook.id": event.hook,
      "planloom.hook.point": event.point,
      "planloom.hook.changed": event.changed?.join(","),
      "planloom.hook.verdict": event.finding?.verdict,
      "planloom.hook.skipped": event.skipped,
    },
  }),
  ModelCalled: (event) => ({
    name: `${operationOf(event)} ${modelOf(event).model}`,
    kind: "client",
    ms: event.ms,
    failure: event.failure,
    attributes: {
      ...modelAttributes(event),
      "gen_ai.usage.input_tokens": event.usage.input,
      "gen_ai.usage.output_tokens": event.usage.output,
      "planloom.usage.estimated": event.usage.estimated,
      "planloom.cost_usd": event.cost,
      "planloom.request_id": event.requestId,
    },
  }),
  ToolCalled: (event) => ({
    name: `execute_tool ${event.tool}`,
    kind: "internal",
    ms: event.ms,
    failure: event.failure,
    attributes: {
      ...toolAttributes(event),
      "planloom.tool.refused": event.refused,
      "planloom.tool.from": event.from,
    },
  }),
}

/** Undefined for an event that is no call. */
export const callOf = (event: RunEvent): Call | undefined =>
  Object.hasOwn(describers, event.type)
    ? (describers[event.type as CallEvent["type"]] as (event: RunEvent) => Call)(event)
    : undefined

/** As the conventions name it. */
const operationOf = ({ operation }: Called<"ModelCalled">): string => operation ?? "chat"

const modelOf = ({ model }: Called<"ModelCalled">) => {
  const slash = model.indexOf("/")
  return slash < 0
    ? { provider: undefined, model }
    : { provider: model.slice(0, slash), model: model.slice(slash + 1) }
}

/** Attributes that spans and metrics of a model call share. */
export const modelAttributes = (event: Called<"ModelCalled">): Attributes => {
  const { model, provider } = modelOf(event)
  return {
    "gen_ai.operation.name": operationOf(event),
    "gen_ai.provider.name": provider && (providerNames[provider] ?? provider),
    "gen_ai.request.model": model,
  }
}

/** Attributes that spans and metrics of a tool call share. */
export const toolAttributes = ({ tool }: Called<"ToolCalled">): Attributes => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": tool,
  "gen_ai.tool.type": "function",
})
