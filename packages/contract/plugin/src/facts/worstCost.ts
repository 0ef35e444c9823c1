/** Computes the most that a call can cost from its tokens. */
import { costOf, type ModelFacts } from "./Facts.ts"

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
