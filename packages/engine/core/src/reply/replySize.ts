/** How large a reply is, and the failure of one that is larger than it may be. */
import {
  MAX_REPLY_BYTES,
  ModelFailed,
  type ModelReply,
  type Provider,
  type Usage,
} from "@planloom/plugin/effect"

type Sized = Pick<ModelReply, "text" | "reasoning" | "toolCalls">

/** Bytes that the replies of a provider may have. */
export const mostBytesOf = ({ maxReplyBytes = MAX_REPLY_BYTES }: Provider): number => maxReplyBytes

/** Whether a reply has more bytes than `most`. */
export const isTooLarge = (reply: Sized, most: number): boolean =>
  !isSurelyShort(reply, most) && replyBytes(reply, most) > most

/** A UTF-16 unit has at most 3 bytes: the texts of most replies need not be counted. */
const isSurelyShort = ({ reasoning, text, toolCalls }: Sized, most: number): boolean =>
  (text.length + reasoning.length + (toolCalls.length === 0 ? 0 : unitsOf(toolCalls, DEEPEST))) *
    3 <=
  most

/** Calls in a list, their arguments, and values in these. */
const DEEPEST = 5

/** Of the index of an item, which has at most ten digits. */
const INDEX_UNITS = 11

/** At least the UTF-16 units of a value; of a deeper one infinity. */
const unitsOf = (value: unknown, depth: number): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 1
  if (depth === 0) return Infinity
  let units = 0
  if (Array.isArray(value)) {
    for (const item of value) units += INDEX_UNITS + unitsOf(item, depth - 1)
    return units
  }
  const members = value as { readonly [key: string]: unknown }
  // Inherited ones, too: a bound may be too high, and a list of its own for each object takes as long as all else.
  for (const key in members) units += key.length + 1 + unitsOf(members[key], depth - 1)
  return units
}

/** Bytes of a reply's texts and of its tool calls' arguments; counts no further than `most` is surely passed. */
export const replyBytes = ({ reasoning, text, toolCalls }: Sized, most: number): number => {
  let bytes = 0
  const open: Array<unknown> = [text, reasoning, ...toolCalls]
  while (open.length > 0 && bytes <= most) {
    const value = open.pop()
    if (typeof value === "string") bytes += textBytes(value, most)
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        bytes += key.length + 1
        open.push(inner)
      }
    } else bytes++
  }
  return bytes
}

/** A character has a byte or more: a giant is known by its length alone. */
export const textBytes = (text: string, most: number): number =>
  text.length > most ? text.length : Buffer.byteLength(text)

/** What its service says it has used counts; of a reply that was left, that is not known. */
export const tooLarge = (
  model: string,
  most: number,
  usage: Usage = { input: 0, output: 0, estimated: true },
): ModelFailed =>
  new ModelFailed({
    class: "too_large",
    model,
    message: `the reply is larger than ${most} bytes (max_reply_bytes)`,
    usage,
  })
