/** What a service needs back of its reply, unchanged, in the signature of the reply's first tool call. */
import { createHash } from "node:crypto"
import type { Content, Json, Message, ToolCall } from "@planloom/plugin/effect"

type AssistantMessage = Extract<Message, { readonly role: "assistant" }>

/** What a state belongs to. Thoughts are bound to the model that had them. */
interface Origin {
  readonly service: string
  readonly model: string
}

interface SignedState {
  readonly model: string
  /** Of the text and the calls: a message that was changed since then has lost its state. */
  readonly digest: string
  readonly state: Json
}

/** The calls with the state in the signature of the first one. */
export const withReplyState = (
  { model, service }: Origin,
  reply: { readonly text: string; readonly toolCalls: ReadonlyArray<ToolCall> },
  state: Json | undefined,
): ReadonlyArray<ToolCall> => {
  const [first, ...rest] = reply.toolCalls
  if (first === undefined || state === undefined) return reply.toolCalls
  const signed: SignedState = { model, digest: digestOf(reply.text, reply.toolCalls), state }
  return [{ ...first, signature: `${service}:${JSON.stringify(signed)}` }, ...rest]
}

/** The state of a message's reply; undefined if another model replied, or the message was changed since. */
export const replyStateOf = (
  { model, service }: Origin,
  { content, toolCalls = [] }: AssistantMessage,
): Json | undefined => {
  const signature = toolCalls[0]?.signature
  if (signature?.startsWith(`${service}:`) !== true) return undefined
  const signed = JSON.parse(signature.slice(service.length + 1)) as SignedState
  return signed.model === model && signed.digest === digestOf(textOf(content), toolCalls)
    ? signed.state
    : undefined
}

/** The engine removes white space around the text of a reply. */
const digestOf = (text: string, calls: ReadonlyArray<ToolCall>): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        text.trim(),
        // The engine reads arguments that are not JSON.
        calls.map(({ arguments: given, id, name, written }) => [id, name, written ?? given]),
      ]),
    )
    .digest("base64url")

const textOf = (content: string | ReadonlyArray<Content>): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("")
