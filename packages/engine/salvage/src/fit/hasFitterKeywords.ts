/** Detects schema keywords that only the fitter interprets: `x-alias`, and `default` if members are filled in. */

const KEYWORDS = /"(?:x-alias|(default)")/g
const cache = new WeakMap<object, { readonly names: boolean; readonly defaults: boolean }>()

export const hasFitterKeywords = (schema: object | boolean, fills: boolean): boolean => {
  if (typeof schema === "boolean") return false
  let has = cache.get(schema)
  if (has === undefined) {
    const found = [...JSON.stringify(schema).matchAll(KEYWORDS)]
    has = {
      names: found.some(([, word]) => word === undefined),
      defaults: found.some(([, word]) => word !== undefined),
    }
    cache.set(schema, has)
  }
  return has.names || (fills && has.defaults)
}
