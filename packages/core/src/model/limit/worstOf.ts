/** Estimates the most tokens and money that a model call can use. */
import * as Effect from "effect/Effect"
import type { Content, Message, ModelRequest } from "@planloom/plugin/effect"
import { costOf, outputLimit } from "@planloom/plugin/facts"
import type { ModelFacts } from "@planloom/plugin/facts"
import { mostTokens, tokenCounter, type TokenCounter } from "@planloom/prompt/tokens"
import type { Worst } from "./Ledger.ts"

/** What a message costs beyond its text: a role and two marks, as OpenAI counts it. */
const PER_MESSAGE = 4
/** More than the vendors take for one image of ordinary size. */
export const IMAGE_TOKENS = 2500
/** Tokens that services add for tools or JSON; Anthropic documents up to 530. */
const FOR_TOOLS = 600

/**
 * The prompt as its model counts it, or what it can be expected to take at most, and the longest reply. Where neither
 * the request nor the facts limit the reply, it is `Infinity`.
 */
export const worstOf = (
  request: ModelRequest,
  facts: ModelFacts | undefined,
): Effect.Effect<Worst> =>
  Effect.map(tokenCounter(facts), (counter) => {
    const counted = textTokens(request, counter.count)
    // Tokenizers take their time: what was counted exactly is not counted twice.
    const most = counter.exact ? counted : textTokens(request, mostTokens)
    const prompt = most + besideTexts(request, counter)
    const context = facts?.context ?? Infinity
    const reply = outputLimit(request.maxTokens, facts) ?? context
    const input = Math.min(prompt, context)
    const output = Math.min(reply, Math.max(0, context - input))
    return {
      tokens: input + output,
      cost: worstCost(input, output, facts),
      prompt: {
        tokens: counted,
        exact: counter.exact,
        cost: costOf({ input: counted, output: 0 }, facts?.price),
      },
    }
  })

/**
 * US dollars; undefined when the price is not known. All of the prompt may be written into the service's cache,
 * where that costs more.
 */
export const worstCost = (
  input: number,
  output: number,
  facts: ModelFacts | undefined,
): number | undefined => {
  const price = facts?.price
  const written = (price?.written ?? 0) > (price?.input ?? 0) ? input : 0
  if (price === undefined || Number.isFinite(output)) {
    return costOf({ input, output, written }, price)
  }
  return price.output === 0 ? costOf({ input, output: 0, written }, price) : Infinity
}

/** As its model counts, or the most that can be expected. */
export const countOf = ({ count, exact }: TokenCounter): ((text: string) => number) =>
  exact ? count : mostTokens

export const promptTokens = (request: ModelRequest, counter: TokenCounter): number =>
  textTokens(request, countOf(counter)) + besideTexts(request, counter)

/** Roles, images, and what services say on top: the most of it. */
const besideTexts = (
  { messages, output, system, tools }: ModelRequest,
  { exact }: TokenCounter,
): number => {
  const images = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as ReadonlyArray<Content>).filter(isImage) : [],
  ).length
  return (
    (exact || (tools === undefined && output === undefined) ? 0 : FOR_TOOLS) +
    PER_MESSAGE * (messages.length + system.length) +
    IMAGE_TOKENS * images
  )
}

/** Of the texts alone: nothing on top for what is not known, such as the size of an image. */
const textTokens = (
  { messages, output, system, tools }: ModelRequest,
  count: (text: string) => number,
): number =>
  [
    ...system.map(({ text }) => text),
    ...messages.flatMap(textsOf),
    ...(tools === undefined ? [] : [JSON.stringify(tools)]),
    ...(output === undefined ? [] : [JSON.stringify(output)]),
  ].reduce((sum, text) => sum + count(text), 0)

const isImage = ({ type }: Content): boolean => type === "image"

const textsOf = (message: Message): ReadonlyArray<string> => {
  const calls =
    message.role === "assistant" && message.toolCalls !== undefined
      ? [JSON.stringify(message.toolCalls)]
      : []
  if (typeof message.content === "string") return [message.content, ...calls]
  if (message.role === "tool") return [JSON.stringify(message.content)]
  return [...message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])), ...calls]
}
