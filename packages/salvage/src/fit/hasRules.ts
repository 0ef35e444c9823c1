/** Whether a schema has wishes that a validator does not see. */

const RULES = /"(?:x-alias|(default)")/g
const ruled = new WeakMap<object, { readonly names: boolean; readonly defaults: boolean }>()

/** A schema whose wishes a validator does not see: names that the model was told instead of the real ones, values to fill in. */
export const hasRules = (schema: object | boolean, fills: boolean): boolean => {
  if (typeof schema === "boolean") return false
  let has = ruled.get(schema)
  if (has === undefined) {
    const found = [...JSON.stringify(schema).matchAll(RULES)]
    has = {
      names: found.some(([, word]) => word === undefined),
      defaults: found.some(([, word]) => word !== undefined),
    }
    ruled.set(schema, has)
  }
  return has.names || (fills && has.defaults)
}
