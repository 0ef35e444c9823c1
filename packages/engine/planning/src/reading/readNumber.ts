/** Reads a number as written in a language: its sign, thousands and decimals; nothing of it is dropped. */
import type { Grammar } from "./words/Grammar.ts"

export interface WrittenNumber {
  readonly value: number
  /** The mark of a currency before it. */
  readonly mark: string | undefined
}

const written = /^([-−])?([$€£])?([-−])?(\d[\d.,]*)$/

const grouped: { readonly [decimal in "." | ","]: RegExp } = {
  ".": /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/,
  ",": /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/,
}

const valueOf = (digits: string, decimal: "." | ","): number | undefined =>
  grouped[decimal].test(digits)
    ? Number(digits.replaceAll(decimal === "." ? "," : ".", "").replace(decimal, "."))
    : undefined

/** Undefined for a text that is no number, or that is two different numbers by the marks of the language. */
export const readNumber = (text: string, { decimals }: Grammar): WrittenNumber | undefined => {
  const [, sign, mark, inner, digits] = written.exec(text) ?? []
  if (digits === undefined || (sign !== undefined && inner !== undefined)) return undefined
  const values = new Set(decimals.map((decimal) => valueOf(digits, decimal)))
  values.delete(undefined)
  const [value, ...others] = values
  if (value === undefined || others.length > 0) return undefined
  return { value: sign === undefined && inner === undefined ? value : -value, mark }
}
