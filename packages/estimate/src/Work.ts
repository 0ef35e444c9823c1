/** Amounts of model work with both of their limits. */

/** The worst case is at least `least`, and at most `most`: `Infinity` if no upper limit is known before the run. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** Calls of models, their tokens, in and out, and their price in US dollars; undefined if a price is not known. */
export interface Work {
  readonly calls: Range
  readonly tokens: Range
  readonly cost: Range | undefined
  /** Requests besides those calls that a service may refuse because of their form; they use no tokens. */
  readonly refusals: Range
  /** Calls of tools, those that models make included. */
  readonly toolCalls: Range
}

export const exactly = (value: number): Range => ({ least: value, most: value })

export const isExact = ({ least, most }: Range): boolean => least === most

const none = exactly(0)

export const noWork: Work = {
  calls: none,
  tokens: none,
  cost: none,
  refusals: none,
  toolCalls: none,
}

/** Nothing is known of how often models are asked. */
export const unknownWork: Work = {
  calls: { least: 0, most: Infinity },
  tokens: { least: 0, most: Infinity },
  cost: { least: 0, most: Infinity },
  refusals: { least: 0, most: Infinity },
  toolCalls: none,
}

export const plus = (one: Range, other: Range): Range => ({
  least: one.least + other.least,
  most: one.most + other.most,
})

/** Nothing without an occurrence, whatever the limit of one is. */
export const product = (one: number, times: number): number =>
  one === 0 || times === 0 ? 0 : one * times

export const scaled = ({ least, most }: Range, times: Range): Range => ({
  least: product(least, times.least),
  most: product(most, times.most),
})

export const addWork = (works: ReadonlyArray<Work>): Work =>
  works.reduce(
    (sum, one) => ({
      calls: plus(sum.calls, one.calls),
      tokens: plus(sum.tokens, one.tokens),
      cost: sum.cost && one.cost && plus(sum.cost, one.cost),
      refusals: plus(sum.refusals, one.refusals),
      toolCalls: plus(sum.toolCalls, one.toolCalls),
    }),
    noWork,
  )

export const timesWork = (work: Work, times: Range): Work => ({
  calls: scaled(work.calls, times),
  tokens: scaled(work.tokens, times),
  // Work that does not happen has no unknown price.
  cost: times.most === 0 ? none : work.cost && scaled(work.cost, times),
  refusals: scaled(work.refusals, times),
  toolCalls: scaled(work.toolCalls, times),
})

/** The most of several works of which one happens. */
export const greatestOf = (works: ReadonlyArray<Work>): Work => {
  const [first = noWork, ...others] = works
  return others.reduce(
    (most, one) => ({
      calls: greater(most.calls, one.calls),
      tokens: greater(most.tokens, one.tokens),
      cost: most.cost && one.cost && greater(most.cost, one.cost),
      refusals: greater(most.refusals, one.refusals),
      toolCalls: greater(most.toolCalls, one.toolCalls),
    }),
    first,
  )
}

const greater = (one: Range, other: Range): Range => ({
  least: Math.max(one.least, other.least),
  most: Math.max(one.most, other.most),
})

/** The same without an upper limit, such as for one item of a list of unknown length. */
export const unlimited = ({ calls, cost, refusals, tokens, toolCalls }: Work): Work => ({
  calls: open(calls),
  tokens: open(tokens),
  cost: cost && open(cost),
  refusals: open(refusals),
  toolCalls: open(toolCalls),
})

const open = ({ least, most }: Range): Range => ({ least, most: most === 0 ? 0 : Infinity })
