/** Cuts a block that is too long for a passage where a reader would: at a line, a sentence, a space. */
import type { Block } from "./Block.ts"

/** The places to cut at, the best first. */
const places = [/\n/g, /[.!?…。！？]["')\]]*\s/g, /\s/g]

const lastPlace = (window: string): number => {
  for (const place of places) {
    const last = [...window.matchAll(place)].at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end > window.length / 2) return end
  }
  const last = window.charCodeAt(window.length - 1)
  const splitsPair = last >= 0xd800 && last < 0xdc00 && window.length > 1
  return splitsPair ? window.length - 1 : window.length
}

/** The place at which the tokens are used up, as `estimateTokens` counts them. */
const reach = (text: string, from: number, to: number, tokens: number): number => {
  let quarters = tokens * 4
  for (let at = from; at < to; at++) {
    quarters -= text.charCodeAt(at) > 0x24f ? 4 : 1
    if (quarters < 0) return at
  }
  return to
}

/** Parts of at most so many tokens, which cover the block. Parts of a heading after the first are paragraphs. */
export const cutBlock = (text: string, block: Block, tokens: number): ReadonlyArray<Block> => {
  const parts: Array<Block> = []
  let { from, line } = block
  while (from < block.to) {
    const end = reach(text, from, block.to, tokens)
    const to = end === block.to ? end : from + lastPlace(text.slice(from, end))
    const { kind, lead, page } = block
    const rest = { kind: kind === "heading" ? ("paragraph" as const) : kind, page }
    const part = parts.length === 0 ? block : { ...rest, ...(lead !== undefined && { lead }) }
    parts.push({ ...part, from, to, line })
    line += text.slice(from, to).split("\n").length - 1
    from = to
  }
  return parts
}
