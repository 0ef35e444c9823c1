/** The limit on nesting of JSON data: borders refuse deeper values, because code behind them walks values recursively. */

/** Lists and objects inside each other. */
export const MAX_JSON_DEPTH = 500

/** The end of a sentence about a value that is refused. */
export const TOO_DEEP = `is nested more than ${MAX_JSON_DEPTH} levels deep`

/** Whether a value has more levels of lists and objects, as every cyclic one has. */
export const isTooDeep = (value: unknown, levels = MAX_JSON_DEPTH): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true
    return false
  }
  for (const key in value) {
    if (isTooDeep((value as { readonly [key: string]: unknown })[key], levels - 1)) return true
  }
  return false
}
