/** A captured request in parts, each with its tokens. */
import * as Effect from "effect/Effect"
import type { Json, Message, ModelRequest, Section } from "@planloom/plugin/effect"
import { messageText } from "../dev/loop/messageText.ts"
import { factsOf, type Facts } from "@planloom/plugin/facts"
import type { Captured, HookChange } from "./captureRequest.ts"

/** A part of the draft of a hook's point, before and after the hook. */
export interface Change {
  /** `section base`, `messages`, `tools`, `mode`. */
  readonly part: string
  readonly before: string
  readonly after: string
}

export interface ShownPrompt extends Pick<Captured, "request" | "mode" | "versions"> {
  /** `provider/model`. */
  readonly model: string
  /** Whether the model's own tokenizer counted the tokens. */
  readonly exact: boolean
  readonly sections: ReadonlyArray<Pick<Section, "id" | "source" | "stable" | "text" | "tokens">>
  readonly messages: ReadonlyArray<{
    readonly role: Message["role"]
    readonly text: string
    readonly tokens: number
  }>
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly description: string
    readonly parameters: Json
    readonly tokens: number
  }>
  /** The JSON that is asked for; undefined for text. */
  readonly output: { readonly name: string; readonly tokens: number } | undefined
  readonly tokens: {
    readonly system: number
    readonly messages: number
    readonly tools: number
    readonly output: number
    readonly total: number
  }
  readonly hooks: ReadonlyArray<HookChange & { readonly changes: ReadonlyArray<Change> }>
}

export const shownPrompt = Effect.fnUntraced(function* (
  { hooks, mode, request, sections, versions }: Captured,
  model: string,
  facts: Facts,
): Effect.fn.Return<ShownPrompt> {
  const { tokenCounter } = yield* Effect.promise(() => import("@planloom/prompt/tokens"))
  const { systemBlocks } = yield* Effect.promise(() => import("@planloom/prompt"))
  const { count, exact } = yield* tokenCounter(factsOf(model, facts))
  const own = new Set(systemBlocks(sections).map(({ text }) => text))
  const shown = [
    ...sections
      .filter(({ text }) => text !== "")
      .map(({ id, source, stable, text }) => ({ id, source, stable, text, tokens: count(text) })),
    // Instructions of the engine, for models that cannot be sent tools or a schema.
    ...request.system.flatMap(({ text }) =>
      own.has(text)
        ? []
        : [{ id: "instructions", source: "planloom", stable: true, text, tokens: count(text) }],
    ),
  ]
  const messages = request.messages.map((message) => {
    const text = messageText(message)
    return { role: message.role, text, tokens: count(text) }
  })
  const tools = (request.tools ?? []).map((tool) => ({
    ...tool,
    parameters: tool.parameters as Json,
    tokens: count(JSON.stringify(tool)),
  }))
  const output = request.output && {
    name: request.output.name,
    tokens: request.output.described === true ? 0 : count(JSON.stringify(request.output.schema)),
  }
  const tokens = {
    system: sum(request.system.map(({ text }) => ({ tokens: count(text) }))),
    messages: sum(messages),
    tools: sum(tools),
    output: output?.tokens ?? 0,
  }
  const total = tokens.system + tokens.messages + tokens.tools + tokens.output
  return {
    request,
    mode,
    versions,
    model,
    exact,
    sections: shown,
    messages,
    tools,
    output,
    tokens: { ...tokens, total },
    hooks: hooks.map((one) => ({ ...one, changes: changesOf(one) })),
  }
})

const sum = (parts: ReadonlyArray<{ readonly tokens: number }>): number =>
  parts.reduce((total, { tokens }) => total + tokens, 0)

const changesOf = ({ after, before }: HookChange): ReadonlyArray<Change> => {
  const from = partsOf(before)
  const to = partsOf(after)
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((part) => {
    const [old = "", now = ""] = [from.get(part), to.get(part)]
    return old === now ? [] : [{ part, before: old, after: now }]
  })
}

/** The texts of a draft, by name. */
const partsOf = (draft: Json): ReadonlyMap<string, string> => {
  const fields = draft as unknown as {
    readonly id?: string
    readonly text?: string
    readonly sections?: ReadonlyArray<string | Section>
    readonly offers?: ReadonlyArray<{ readonly tool: string; readonly form: string }>
    readonly messages?: ModelRequest["messages"]
    readonly mode?: string
    readonly vars?: Json
  } | null
  const parts = new Map<string, string>()
  if (fields === null) return parts
  const { id, messages, mode, offers, sections, text, vars } = fields
  if (id !== undefined && text !== undefined) parts.set(`section ${id}`, text)
  if (mode !== undefined) parts.set("mode", mode)
  if (vars !== undefined) parts.set("vars", JSON.stringify(vars, null, 2))
  if (sections !== undefined) {
    const ids = sections.map((one) => (typeof one === "string" ? one : one.id))
    parts.set("sections", ids.join("\n"))
    for (const one of sections)
      if (typeof one !== "string") parts.set(`section ${one.id}`, one.text)
  }
  if (offers !== undefined) {
    parts.set("tools", offers.map(({ form, tool }) => `${tool} (${form})`).join("\n"))
  }
  if (messages !== undefined) {
    parts.set("messages", messages.map((one) => `${one.role}: ${messageText(one)}`).join("\n\n"))
  }
  return parts
}
