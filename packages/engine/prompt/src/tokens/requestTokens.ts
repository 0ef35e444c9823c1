/** How many tokens a request has: its texts, and what services add to them. */
import type { Content, Message, ModelRequest } from "@planloom/plugin/effect"
import { mostTokens } from "./mostTokens.ts"
import type { TokenCounter } from "./tokens.ts"

/** What a message costs beyond its text: a role and two marks, as OpenAI counts it. */
const PER_MESSAGE = 4
/** More than the vendors take for one image of ordinary size. */
export const IMAGE_TOKENS = 2500
/** Tokens that services add for tools or JSON; Anthropic documents up to 530. */
const FOR_TOOLS = 600

/** As its model counts, or the most that can be expected. */
export const countOf = ({ count, exact }: TokenCounter): ((text: string) => number) =>
  exact ? count : mostTokens

/** Bytes of the marks that a template puts around a message, where each may be a token. */
const MARKS_PER_MESSAGE = 32

/** More tokens than any tokenizer makes of a request: none is smaller than a byte. */
export const tokenBound = (request: ModelRequest): number =>
  textTokens(request, (text) => Buffer.byteLength(text)) +
  besideTexts(request, { exact: false }) +
  MARKS_PER_MESSAGE * (request.messages.length + request.system.length)

export const promptTokens = (request: ModelRequest, counter: TokenCounter): number =>
  textTokens(request, countOf(counter)) + besideTexts(request, counter)

/** Roles, images, and what services say on top: the most of it. */
export const besideTexts = (
  { messages, output, system, tools }: ModelRequest,
  { exact }: Pick<TokenCounter, "exact">,
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
export const textTokens = (
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
