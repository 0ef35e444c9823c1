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

/** The work with each of its amounts as `of` gives it. */
const each = (
  { calls, cost, refusals, tokens, toolCalls }: Work,
  of: (one: Range) => Range,
): Work => ({
  calls: of(calls),
  tokens: of(tokens),
  cost: cost && of(cost),
  refusals: of(refusals),
  toolCalls: of(toolCalls),
})

/** Two works as one; the price is unknown if that of either is. */
const both = (one: Work, other: Work, by: (one: Range, other: Range) => Range): Work => ({
  calls: by(one.calls, other.calls),
  tokens: by(one.tokens, other.tokens),
  cost: one.cost && other.cost && by(one.cost, other.cost),
  refusals: by(one.refusals, other.refusals),
  toolCalls: by(one.toolCalls, other.toolCalls),
})

export const addWork = (works: ReadonlyArray<Work>): Work =>
  works.reduce((sum, one) => both(sum, one, plus), noWork)

export const timesWork = (work: Work, times: Range): Work => {
  const made = each(work, (one) => scaled(one, times))
  // Work that does not happen has no unknown price.
  return times.most === 0 ? { ...made, cost: none } : made
}

/** The most of several works of which one happens. */
export const greatestOf = ([first = noWork, ...others]: ReadonlyArray<Work>): Work =>
  others.reduce((most, one) => both(most, one, greater), first)

const greater = (one: Range, other: Range): Range => ({
  least: Math.max(one.least, other.least),
  most: Math.max(one.most, other.most),
})

/** The same without an upper limit, such as for one item of a list of unknown length. */
export const unlimited = (work: Work): Work => each(work, open)

const open = ({ least, most }: Range): Range => ({ least, most: most === 0 ? 0 : Infinity })
