/** The thoughts before the tool calls of a reply, kept in the signature of its first call: the service requires them with the results. */
import type Anthropic from "@anthropic-ai/sdk"

type Thought = Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam

/** Distinguishes it from signatures of other services in the same conversation. */
const PREFIX = "anthropic:"

const isThought = ({ type }: { readonly type: string }): boolean =>
  type === "thinking" || type === "redacted_thinking"

/** Undefined without thoughts, and with thoughts between other blocks: their order would be lost. */
export const toSignature = (
  blocks: ReadonlyArray<{ readonly type: string }>,
): string | undefined => {
  const first = blocks.findIndex((block) => !isThought(block))
  const thoughts = first === -1 ? blocks : blocks.slice(0, first)
  return thoughts.length === 0 || blocks.slice(thoughts.length).some(isThought)
    ? undefined
    : PREFIX + JSON.stringify(thoughts)
}

export const fromSignature = (signature: string | undefined): Array<Thought> | undefined =>
  signature?.startsWith(PREFIX) === true
    ? (JSON.parse(signature.slice(PREFIX.length)) as Array<Thought>)
    : undefined
