/** Merges ranked lists: scores of two lists compare only where the rank is the same. */
export const mergeRanked = <One>(
  lists: ReadonlyArray<ReadonlyArray<One>>,
  scoreOf: (one: One) => number,
): ReadonlyArray<One> =>
  lists
    .flatMap((list) => list.map((one, rank) => ({ one, rank })))
    .toSorted((a, b) => a.rank - b.rank || scoreOf(b.one) - scoreOf(a.one))
    .map(({ one }) => one)
