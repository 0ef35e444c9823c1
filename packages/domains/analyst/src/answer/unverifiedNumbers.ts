/** Finds numbers in a reply that occur in none of its sources, not even rounded. */

const numbers = /[-−]?\d[\d,]*(?:\.\d+)?/g

const read = (text: string): ReadonlyArray<{ readonly value: number; readonly decimals: number }> =>
  [...text.matchAll(numbers)].map(([found]) => {
    const plain = found.replace("−", "-").replaceAll(",", "")
    return { value: Number(plain), decimals: plain.split(".")[1]?.length ?? 0 }
  })

/** Numbers of a list's lines count nothing. */
const listMarks = /^\s*\d+[.)]\s/gm

/** Of a larger number, three digits are enough; years and small numbers are exact. */
const isRounded = (value: number): boolean => Math.abs(value) >= 2200

/** In the order of the reply, each once. Words such as thousand and percent signs do not scale a number. */
export const unverifiedNumbers = (
  reply: string,
  sources: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const known = sources.flatMap((source) => read(source).map(({ value }) => Math.abs(value)))
  const strange = read(reply.replaceAll(listMarks, "")).filter(({ value, decimals }) => {
    // Rounding to the digits shown, or to three significant digits, is allowed.
    const near = Math.max(0.5 * 10 ** -decimals, isRounded(value) ? Math.abs(value) * 0.005 : 0)
    return !known.some((one) => Math.abs(one - Math.abs(value)) <= near + 1e-9)
  })
  return [...new Set(strange.map(({ value }) => String(value)))]
}
