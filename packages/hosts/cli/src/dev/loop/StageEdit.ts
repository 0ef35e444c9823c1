/** A stage occurrence of one run of the edit loop: what it was asked, what it gave, and what it cost. */
import type {
  FailureRecord,
  Json,
  JsonObject,
  ModelRequest,
  RunEvent,
} from "@planloom/plugin/effect"
import { modelPart, ofModel } from "@planloom/plugin/segments"
import type { RunResult, StageResult } from "@planloom/core"
import type { MadeCall } from "./CallMemory.ts"
import { messageText } from "./messageText.ts"

/** A part of a request: a section of the system prompt, a message, the tools. */
export interface PromptPart {
  /** `section rules`, `message 1 user`, `tools`, `settings`. */
  readonly name: string
  /** What a section comes from: the file of a prompt, or the stage kind. */
  readonly source: string | undefined
  readonly text: string
}

export interface PromptEdit {
  /** Name of the call within its stage, without the model. */
  readonly call: string
  readonly model: string
  readonly parts: ReadonlyArray<PromptPart>
}

export interface HookEdit {
  readonly hook: string
  readonly point: string
  /** The section, model or tool that it ran for. */
  readonly of: string | undefined
  readonly changed: ReadonlyArray<string>
}

export interface StageEdit {
  readonly path: string
  readonly stage: string
  readonly outcome: StageResult["outcome"]
  readonly output: Json | undefined
  readonly failure: FailureRecord | undefined
  /** Calls of models, tools and others that were made, and those that were answered from memory. */
  readonly live: number
  readonly answered: number
  /** Of all its model calls, and of those that were made in this run. */
  readonly tokens: number
  readonly cost: number
  readonly spentTokens: number
  readonly spentCost: number
  readonly ms: number | undefined
  readonly prompts: ReadonlyArray<PromptEdit>
  readonly hooks: ReadonlyArray<HookEdit>
}

/** In the order in which they started. */
export const stagesOf = (
  { stages }: RunResult,
  calls: ReadonlyArray<MadeCall>,
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<StageEdit> => {
  const callsOf = byPath(calls)
  const eventsOf = byPath(events.filter((event) => "path" in event))
  return Object.entries(stages).map(([path, { failure, ms, outcome, output, stage }]) => {
    const own = callsOf.get(path) ?? []
    const emitted = eventsOf.get(path) ?? []
    return {
      path,
      stage,
      outcome,
      output,
      failure,
      live: own.filter(({ isLive }) => isLive).length,
      answered: own.filter(({ isLive }) => !isLive).length,
      ...usageOf(own, emitted),
      ms,
      prompts: own.flatMap((call) => (call.kind === "model" ? [promptOf(call)] : [])),
      hooks: emitted.flatMap((event) =>
        event.type === "HookRan" && event.changed !== undefined
          ? [{ hook: event.hook, point: event.point, of: event.of, changed: event.changed }]
          : [],
      ),
    }
  })
}

const byPath = <A extends { readonly path: string }>(
  all: ReadonlyArray<A>,
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const one of all) {
    const list = found.get(one.path)
    if (list === undefined) found.set(one.path, [one])
    else list.push(one)
  }
  return found
}

/** Each event of a model call comes after the call, in the same order. */
const usageOf = (
  calls: ReadonlyArray<MadeCall>,
  events: ReadonlyArray<RunEvent>,
): Pick<StageEdit, "tokens" | "cost" | "spentTokens" | "spentCost"> => {
  const ended = calls.filter(({ kind }) => kind === "model")
  const sum = { tokens: 0, cost: 0, spentTokens: 0, spentCost: 0 }
  for (const event of events) {
    if (event.type !== "ModelCalled") continue
    const { cost = 0, model, operation, usage } = event
    const tokens = usage.input + usage.output
    const at = ended.findIndex(({ about }) => about["model"] === model)
    const isLive = operation !== undefined || at < 0 || ended[at]!.isLive
    if (operation === undefined && at >= 0) ended.splice(at, 1)
    sum.tokens += tokens
    sum.cost += cost
    if (!isLive) continue
    sum.spentTokens += tokens
    sum.spentCost += cost
  }
  return sum
}

const promptOf = ({ about, name, path, sections }: MadeCall): PromptEdit => {
  const { messages, model, system, tools, ...settings } = about as unknown as ModelRequest
  const named = sections?.filter(({ text }) => text !== "") ?? []
  return {
    call: name.slice(path.length + 1).replace(ofModel("", modelPart(model)), ""),
    model,
    parts: [
      ...(named.length === 0
        ? system.map(({ text }, at) => ({ name: `system ${at + 1}`, source: undefined, text }))
        : named.map(({ id, source, text }) => ({ name: `section ${id}`, source, text }))),
      ...messages.map((message, at) => ({
        name: `message ${at + 1} ${message.role}`,
        source: undefined,
        text: messageText(message),
      })),
      ...listed("tools", tools),
      ...listed("settings", Object.keys(settings).length === 0 ? undefined : settings),
    ],
  }
}

const listed = (name: string, value: unknown): ReadonlyArray<PromptPart> =>
  value === undefined
    ? []
    : [{ name, source: undefined, text: JSON.stringify(value as JsonObject, null, 2) }]
