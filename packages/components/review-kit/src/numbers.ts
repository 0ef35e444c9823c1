/** Numbers in a text, as people write them in English and Spanish: `1,234.56`, `1.234,56`, `5 %`, `3 million`. */

export interface TextNumber {
  readonly start: number
  readonly end: number
  /** What it may mean: `1,234` is 1234 or 1.234. */
  readonly values: ReadonlyArray<number>
  /** Written digits after the decimal sign, of the same index in `values`. */
  readonly decimals: ReadonlyArray<number>
  readonly digits: string
  readonly isPercent: boolean
  /** A currency stands before or after it. */
  readonly isMoney: boolean
}

const NUMBER = /(?<![\p{L}_])\d{1,20}(?:[.,'’ \u00a0\u202f]\d{1,20}){0,8}(?!\d)/gu
const GROUPED = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*(?:[.,](\d+))?$/
const PLAIN = /^(\d+)(?:[.,](\d+))?$/
const SCALE =
  /^[ \u00a0]?(thousand|million|billion|mil millones|mil|millón|millones|k|m)(?![\p{L}\p{N}])/iu
const CURRENCY =
  /(?:[$€£¥₹]|\b(?:USD|MXN|EUR|GBP|COP|BRL|pesos?|dollars?|dólares|euros?))[ \u00a0]?$/iu
const CURRENCY_AFTER =
  /^[ \u00a0]?(?:[$€£¥₹]|(?:USD|MXN|EUR|GBP|COP|BRL|pesos?|dollars?|dólares|euros?)(?!\p{L}))/iu

const scales: { readonly [name: string]: number } = {
  k: 1e3,
  thousand: 1e3,
  mil: 1e3,
  m: 1e6,
  million: 1e6,
  millón: 1e6,
  millones: 1e6,
  billion: 1e9,
  "mil millones": 1e9,
}

export const numbersIn = (text: string): ReadonlyArray<TextNumber> =>
  [...text.matchAll(NUMBER)].flatMap(({ 0: match, index }) =>
    pieces(match).map(({ offset, written }) => {
      const start = index + offset
      const end = start + written.length
      const after = text.slice(end, end + 16)
      const readings = readingsOf(written)
      const scale = scales[SCALE.exec(after)?.[1]?.toLowerCase() ?? ""] ?? 1
      return {
        start,
        end,
        values: readings.map(({ value }) => value * scale),
        decimals: readings.map(({ decimals }) => decimals - Math.log10(scale)),
        digits: written.replaceAll(/\D/g, ""),
        isPercent: /^[ \u00a0]?(?:%|percent|por ciento)/i.test(after),
        isMoney:
          CURRENCY.test(text.slice(Math.max(0, start - 10), start)) || CURRENCY_AFTER.test(after),
      }
    }),
  )

/** A run of digits and signs is one number if its groups fit, else several, as in a date or a list. */
const pieces = (
  run: string,
): ReadonlyArray<{ readonly offset: number; readonly written: string }> => {
  if (GROUPED.test(run) || PLAIN.test(run)) return [{ offset: 0, written: run }]
  const spaced = [...run.matchAll(/[^ \u00a0\u202f]+/g)]
  const parts = spaced.length > 1 ? spaced : [...run.matchAll(/\d+/g)]
  return parts.flatMap(({ 0: part, index }) =>
    part === run
      ? []
      : pieces(part).map(({ offset, written }) => ({ offset: offset + index, written })),
  )
}

const readingsOf = (
  written: string,
): ReadonlyArray<{ readonly value: number; readonly decimals: number }> => {
  const readings: Array<{ readonly value: number; readonly decimals: number }> = []
  const plain = PLAIN.exec(written)
  if (plain !== null) {
    const [, whole = "", fraction = ""] = plain
    readings.push({ value: Number(`${whole}.${fraction}0`), decimals: fraction.length })
  }
  const grouped = GROUPED.exec(written)
  if (grouped !== null) {
    const [, sign = "", fraction = ""] = grouped
    const whole = fraction === "" ? written : written.slice(0, -fraction.length - 1)
    readings.push({
      value: Number(`${whole.replaceAll(sign, "")}.${fraction}0`),
      decimals: fraction.length,
    })
  }
  return readings
}

/** Longest number, with its currency or scale after it. */
export const LONGEST_NUMBER = 64

/** Characters before a number, such as a currency, on which it depends. */
export const NUMBER_LOOKBEHIND = 12

const OPEN =
  /(?:[$€£¥₹]\s?)?\d[\d.,'’ \u00a0\u202f]*(?:[$€£¥₹%]|\p{L}{0,8}(?: \p{L}{0,8})?)?$|[$€£¥₹]\s?$|\b(?:USD|MXN|EUR|GBP|COP|BRL)[ \u00a0]?$/iu

/** Start of the end of a text that more text could turn into another number; else the text's length. */
export const openNumber = (text: string): number => {
  const from = Math.max(0, text.length - LONGEST_NUMBER)
  const match = OPEN.exec(text.slice(from))
  return match === null ? text.length : from + match.index
}
