/** Binary codes of vectors: a bit for the sign of each number. Few differing bits mean a small angle. */

const WORD_BITS = 32

export const wordsOf = (dimensions: number): number => Math.ceil(dimensions / WORD_BITS)

export const codeOf = (vector: Float32Array): Uint32Array => {
  const code = new Uint32Array(wordsOf(vector.length))
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) code[at >>> 5]! |= 1 << (at & 31)
  return code
}

const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * Positions of the `wanted` codes with the fewest bits that differ from a code, in order of their positions; all of the
 * same number of bits as the last of them are among them. `codes` has as many numbers as `code` for each of its positions;
 * `distances` is room for `count` numbers.
 */
export const nearestCodes = (
  code: Uint32Array,
  codes: Uint32Array,
  count: number,
  wanted: number,
  isAllowed: (position: number) => boolean,
  distances = new Uint16Array(count),
): ReadonlyArray<number> => {
  const words = code.length
  const spread = new Uint32Array(words * WORD_BITS + 1)
  for (let position = 0, at = 0; position < count; position++) {
    let distance = 0
    for (let word = 0; word < words; word++, at++) distance += onesIn(codes[at]! ^ code[word]!)
    distances[position] = distance
    if (isAllowed(position)) spread[distance]!++
  }
  let most = 0
  for (let found = spread[0]!; found < wanted && most < spread.length - 1; found += spread[most]!)
    most++
  const nearest: Array<number> = []
  for (let position = 0; position < count; position++)
    if (distances[position]! <= most && isAllowed(position)) nearest.push(position)
  return nearest
}
