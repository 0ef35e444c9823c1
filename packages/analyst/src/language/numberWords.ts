/** English words for numbers. */

const small = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
}

/** Numbers of units in a period: "the past three months". */
export const smallNumbers: ReadonlyMap<string, number> = new Map(Object.entries(small))

/** Numbers of rows: "the top twenty". */
export const numberWords: ReadonlyMap<string, number> = new Map(
  Object.entries({ one: 1, ...small, fifteen: 15, twenty: 20, fifty: 50, hundred: 100 }),
)
