/** Content blocks of a reply with tool calls, returned with the results of the calls: thoughts, citations, their order. */
import type Anthropic from "@anthropic-ai/sdk"
import type { Json, Message, ModelReply } from "@planloom/plugin/effect"
import { replyStateOf, withReplyState } from "@planloom/provider-kit"

type Block = Anthropic.ContentBlock
type Origin = { readonly model: string }

const SERVICE = "anthropic"

/** Whether text and calls alone would lose something of it. */
const isMoreThanItsText = (block: Block): boolean =>
  block.type === "text" ? (block.citations ?? []).length > 0 : block.type !== "tool_use"

/** The service refuses empty texts. */
export const withoutEmptyTexts = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.filter((block) => block.type !== "text" || block.text.trim() !== "")

/** The calls of a reply; the first has the blocks in its signature if the service needs them back. */
export const signedCalls = (
  { model }: Origin,
  reply: Pick<ModelReply, "text" | "toolCalls">,
  blocks: ReadonlyArray<Block>,
): ModelReply["toolCalls"] =>
  withReplyState(
    { service: SERVICE, model },
    reply,
    blocks.some(isMoreThanItsText) ? (withoutEmptyTexts(blocks) as unknown as Json) : undefined,
  )

/** The blocks of an assistant's message as the model wrote them; undefined if another model did. */
export const replyBlocksOf = (
  { model }: Origin,
  message: Message | undefined,
): Array<Anthropic.ContentBlockParam> | undefined =>
  message?.role === "assistant"
    ? (
        replyStateOf({ service: SERVICE, model }, message) as unknown as
          | Array<Anthropic.ContentBlockParam>
          | undefined
      )?.map((block) => {
        const read = message.toolCalls?.find(
          ({ id, written }) =>
            written !== undefined && block.type === "tool_use" && id === block.id,
        )
        return read === undefined
          ? block
          : ({ ...block, input: read.arguments } as Anthropic.ToolUseBlockParam)
      })
    : undefined
