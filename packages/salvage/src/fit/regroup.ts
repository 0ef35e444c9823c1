/** Moves members that an object without its closing bracket took in back to the outer object. */
import type { Node } from "../read/Node.ts"
import type { Schema } from "../Salvage.ts"
import type { Note } from "./Fit.ts"
import type { ObjectSchema, SchemaDocument } from "./Schema.ts"

/**
 * `{"a": {"b": 1, "c": 2}`: without its bracket, `a` includes everything after it, so it is the last member. Members are moved
 * from the first name on that only the outer object has a property for, and lacks. Changes the tree at most once.
 */
export const regroup = (
  root: Node,
  schema: Schema,
  document: SchemaDocument,
): ReadonlyArray<Note> => {
  let outer = root
  let rule = objectRule(schema, document)
  while (outer.kind === "object" && rule?.properties !== undefined) {
    const last = outer.items.at(-1)
    const name = outer.keys.at(-1)
    if (last === undefined || name === undefined || !Object.hasOwn(rule.properties, name)) break
    let inner: Node | undefined = last
    let inside = objectRule(rule.properties[name]!, document)
    if (last.kind === "array") {
      inner = last.items.at(-1)
      const { items } = inside ?? {}
      inside =
        items === undefined || Array.isArray(items)
          ? undefined
          : objectRule(items as Schema, document)
    }
    if (inner?.kind !== "object" || inside?.properties === undefined) break
    const { properties } = rule
    const own = inside.properties
    const isOuter = (key: string) =>
      !Object.hasOwn(own, key) && Object.hasOwn(properties, key) && !outer.keys.includes(key)
    const from = inner.keys.findIndex((key, slot) => slot > 0 && isOuter(key))
    if (from > 0) return move(inner, from, outer)
    outer = inner
    rule = inside
  }
  return []
}

const objectRule = (schema: Schema, document: SchemaDocument): ObjectSchema | undefined => {
  const plain = document.resolve(schema)
  return typeof plain === "boolean" ? undefined : plain
}

const move = (inner: Node, from: number, outer: Node): ReadonlyArray<Note> => {
  const items = inner.items.splice(from)
  const names = inner.keys.splice(from)
  for (const [slot, item] of items.entries()) outer.add(item, names[slot]!)
  return items.map((node, slot) => ({ kind: "moved", node, detail: names[slot]! }))
}
