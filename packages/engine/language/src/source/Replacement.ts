/** Replacements in a text: applied together, and joined to one. */

/** Text in place of the characters `from` to `to`. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Applies replacements in reading order; of those that touch each other, the first one. */
export const replaced = <R extends Replacement>(
  text: string,
  replacements: ReadonlyArray<R>,
): { readonly text: string; readonly applied: ReadonlyArray<R> } => {
  const applied: Array<R> = []
  let result = ""
  let at = 0
  for (const one of replacements.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = applied.at(-1)
    if (last !== undefined && one.from <= last.to) continue
    result += text.slice(at, one.from) + one.text
    at = one.to
    applied.push(one)
  }
  return { text: result + text.slice(at), applied }
}

/** The one replacement that several are together. */
export const joined = (
  text: string,
  replacements: ReadonlyArray<Replacement>,
): Replacement | undefined => {
  if (replacements.length === 0) return undefined
  const from = Math.min(...replacements.map((one) => one.from))
  const to = Math.max(...replacements.map((one) => one.to))
  const inside = replacements.map((one) => ({ ...one, from: one.from - from, to: one.to - from }))
  const { applied, text: whole } = replaced(text.slice(from, to), inside)
  return applied.length === replacements.length ? { from, to, text: whole } : undefined
}
