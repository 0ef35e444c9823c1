/** How many tokens a text has: counted where the model's own tokenizer is known, estimated elsewhere. */
import * as Effect from "effect/Effect"
import { estimateTokens, type ModelFacts } from "@planloom/plugin/facts"

/** Counts tokens; `exact` is false for an estimate. */
export interface TokenCounter {
  readonly exact: boolean
  readonly count: (text: string) => number
}

export { estimateTokens }

export const estimate: TokenCounter = { exact: false, count: estimateTokens }

let o200k: TokenCounter | undefined

/**
 * The counter of a model. The tokenizer's ranks are 2.4 MB and are loaded with the first text that is counted
 * with them; where `gpt-tokenizer` is not installed the count is an estimate, and says so.
 */
export const tokenCounter = (facts: ModelFacts | undefined): Effect.Effect<TokenCounter> =>
  facts?.tokenizer === undefined
    ? Effect.succeed(estimate)
    : o200k === undefined
      ? Effect.promise(load)
      : Effect.succeed(o200k)

const load = async (): Promise<TokenCounter> => {
  try {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base")
    // `<|endoftext|>` in a text is a text like any other.
    const plain = { disallowedSpecial: new Set<string>() }
    o200k = { exact: true, count: (text) => inPieces(text, (piece) => countTokens(piece, plain)) }
  } catch {
    o200k = estimate
  }
  return o200k
}

/** Characters of one word or of one gap. Merging takes time with the square of it: 20,000 letters on end take a second. */
const LONGEST_RUN = 1000

/** Cuts words and gaps that no language has, such as encoded files; each cut counts at most one token too many. */
export const inPieces = (text: string, count: (piece: string) => number): number => {
  let total = 0
  let from = 0
  let run = 0
  let inGap = false
  for (let index = 0; index < text.length; index++) {
    const gap = text.charCodeAt(index) <= 32
    run = gap === inGap ? run + 1 : 1
    inGap = gap
    if (run < LONGEST_RUN) continue
    total += count(text.slice(from, index))
    from = index
    run = 0
  }
  return total + count(text.slice(from))
}
