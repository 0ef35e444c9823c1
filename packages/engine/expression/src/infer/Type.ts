/** Structural types of expressions, derived from JSON Schemas. */

/** The issue to report when a field is read. */
export interface FieldIssue {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  /** The text in place of the name, where it is certain; in place of characters after it, too. */
  readonly fix?: string | { readonly text: string; readonly after: number } | undefined
}

export interface Field {
  readonly type: Type
  /** Whether it may be missing, so that reading it without `has()` can fail. */
  readonly optional: boolean
  /** Replaces the default issue for reading an optional field. */
  readonly whenMissing?: FieldIssue
  /** The issue if the field exists but cannot be read here. */
  readonly forbidden?: FieldIssue
}

export type Type =
  | { readonly kind: "any" }
  /** The item type of an empty list; assignable to every type. */
  | { readonly kind: "never" }
  | { readonly kind: "null" }
  | { readonly kind: "bool" }
  | { readonly kind: "int" }
  | { readonly kind: "number" }
  /** `values` restricts it to these texts. */
  | { readonly kind: "string"; readonly values?: ReadonlyArray<string> }
  | { readonly kind: "list"; readonly item: Type }
  /** `rest` is the type of other keys; without it other keys are unknown. */
  | {
      readonly kind: "object"
      readonly fields: { readonly [name: string]: Field }
      readonly rest: Type | undefined
      /** Fields created on demand, instead of `fields`. */
      readonly lazy?: {
        readonly field: (name: string) => Field | undefined
        readonly names: () => ReadonlyArray<string>
      }
      /** Overrides the noun for a field and the code of an unknown one. */
      readonly noun?: { readonly word: string; readonly code: string }
    }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Type> }

export type ObjectType = Extract<Type, { readonly kind: "object" }>

export const any: Type = { kind: "any" }
export const never: Type = { kind: "never" }
export const nullType: Type = { kind: "null" }
export const bool: Type = { kind: "bool" }
export const int: Type = { kind: "int" }
export const number: Type = { kind: "number" }
export const string: Type = { kind: "string" }
export const listOf = (item: Type): Type => ({ kind: "list", item })
export const mapOf = (rest: Type): Type => ({ kind: "object", fields: {}, rest })

export const fieldIn = (object: ObjectType, name: string): Field | undefined =>
  object.lazy
    ? object.lazy.field(name)
    : Object.hasOwn(object.fields, name)
      ? object.fields[name]
      : undefined

/** The names of all fields, for messages. */
export const namesIn = (object: ObjectType): ReadonlyArray<string> =>
  object.lazy ? object.lazy.names() : Object.keys(object.fields)

/** An object type with required fields only. */
export const objectOf = (types: { readonly [name: string]: Type }): ObjectType => ({
  kind: "object",
  fields: Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type, optional: false }]),
  ),
  rest: undefined,
})

/** The union of types: flat and without duplicates; a single member is returned itself. */
export const union = (types: ReadonlyArray<Type>): Type => {
  const members: Array<Type> = []
  const add = (type: Type): void => {
    if (type.kind === "never") return
    if (type.kind === "union") return type.members.forEach(add)
    const same = members.findIndex((known) => known.kind === type.kind && canMerge(known, type))
    const full = members.length >= MAX_MEMBERS
    const near = same === -1 && full ? members.findIndex(({ kind }) => kind === type.kind) : same
    if (near === -1) members.push(type)
    else members[near] = merge(members[near]!, type)
  }
  types.forEach(add)
  if (members.some((type) => type.kind === "any")) return any
  const numbers = members.some((type) => type.kind === "number")
  const kept = numbers ? members.filter((type) => type.kind !== "int") : members
  return kept.length === 0 ? never : kept.length === 1 ? kept[0]! : { kind: "union", members: kept }
}

/** Of more object types, those that follow are merged field by field. */
const MAX_MEMBERS = 16

/** Whether two types of one kind are merged without a loss. */
const canMerge = (a: Type, b: Type): boolean =>
  a === b || a.kind !== "object" || b.kind !== "object" || sameFields(a, b)

const sameFields = (a: ObjectType, b: ObjectType): boolean =>
  a.lazy === undefined &&
  b.lazy === undefined &&
  namesIn(a).length === namesIn(b).length &&
  namesIn(a).every((name) => fieldIn(a, name)!.optional === fieldIn(b, name)?.optional) &&
  (a.rest === undefined) === (b.rest === undefined) &&
  fits(a, b) &&
  fits(b, a)

const merge = (a: Type, b: Type): Type => {
  if (a.kind === "list" && b.kind === "list") return listOf(union([a.item, b.item]))
  if (a.kind === "string" && b.kind === "string") {
    return a.values && b.values
      ? { kind: "string", values: [...new Set([...a.values, ...b.values])] }
      : string
  }
  return a.kind === "object" && b.kind === "object" && !canMerge(a, b) ? mergeObjects(a, b) : a
}

/** An object type that both fit. */
const mergeObjects = (a: ObjectType, b: ObjectType): ObjectType => {
  const names = new Set([...namesIn(a), ...namesIn(b)])
  const rests = [a.rest, b.rest].filter((rest) => rest !== undefined)
  return {
    kind: "object",
    fields: Object.fromEntries(
      [...names].map((name) => {
        const fields = [fieldIn(a, name), fieldIn(b, name)].filter((field) => field !== undefined)
        const types = [...fields.map(({ type }) => type), ...rests]
        const optional = fields.length === 1 || fields.some((field) => field.optional)
        return [name, { type: union(types), optional }]
      }),
    ),
    rest: rests.length === 0 ? undefined : union(rests),
  }
}

/** The members of a union; a single type as a list of one. */
export const membersOf = (type: Type): ReadonlyArray<Type> =>
  type.kind === "union" ? type.members : [type]

/** Whether every value of `from` is assignable to `to`. Unknown types are assignable. */
export const fits = (from: Type, to: Type, depth = 0): boolean => {
  if (from === to || from.kind === "any" || from.kind === "never" || to.kind === "any") return true
  if (depth > 16) return true
  if (from.kind === "union") return from.members.every((type) => fits(type, to, depth + 1))
  if (to.kind === "union") return to.members.some((type) => fits(from, type, depth + 1))
  if (from.kind === "int") return to.kind === "int" || to.kind === "number"
  if (from.kind === "string" && to.kind === "string") {
    return !to.values || !from.values || from.values.every((value) => to.values!.includes(value))
  }
  if (from.kind === "list" && to.kind === "list") return fits(from.item, to.item, depth + 1)
  if (from.kind === "object" && to.kind === "object")
    return firstMismatch(from, to, depth) === undefined
  return from.kind === to.kind
}

/** The first field of `to` that `from` lacks or has with another type. */
export const firstMismatch = (from: ObjectType, to: ObjectType, depth = 0): string | undefined =>
  Object.keys(to.fields).find((name) => {
    const wanted = to.fields[name]!
    const given = Object.hasOwn(from.fields, name) ? from.fields[name] : undefined
    if (given) return !fits(given.type, wanted.type, depth + 1)
    return !wanted.optional && from.rest === undefined
  })

/** Whether a value of one type can equal a value of the other. */
export const canEqual = (a: Type, b: Type): boolean => {
  if (a.kind === "union") return a.members.some((type) => canEqual(type, b))
  if (b.kind === "union") return b.members.some((type) => canEqual(a, type))
  if (a.kind === "string" && b.kind === "string" && a.values && b.values) {
    return a.values.some((value) => b.values!.includes(value))
  }
  if (a.kind === "any" || b.kind === "any" || a.kind === "never" || b.kind === "never") return true
  const numeric = (type: Type): boolean => type.kind === "int" || type.kind === "number"
  if (numeric(a) && numeric(b)) return true
  if (a.kind === "list" && b.kind === "list") return true
  return a.kind === b.kind
}

/** Describes a type for messages: `a list of texts`, `"a" or "b"`, `an object with plan, tools`. */
export const describeType = (type: Type): string => {
  switch (type.kind) {
    case "any":
      return "any value"
    case "never":
      return "nothing"
    case "bool":
      return "true or false"
    case "int":
      return "a whole number"
    case "number":
      return "a number"
    case "string":
      return type.values ? type.values.map((value) => JSON.stringify(value)).join(" or ") : "text"
    case "list":
      return type.item.kind === "never" ? "an empty list" : `a list${of(type.item, 1)}`
    case "object":
      return `an object${withFields(type)}`
    case "union":
      return [...new Set(type.members.map(describeType))].join(" or ")
    default:
      return type.kind
  }
}

/** Describes the item type of a list, two levels deep. */
const of = (item: Type, depth: number): string => {
  switch (item.kind) {
    case "any":
      return ""
    case "bool":
      return " of true and false"
    case "int":
      return " of whole numbers"
    case "number":
      return " of numbers"
    case "string":
      return item.values ? ` of ${describeType(item)}` : " of texts"
    case "list":
      return depth > 2 ? " of lists" : ` of lists${of(item.item, depth + 1)}`
    case "object":
      return ` of objects${withFields(item)}`
    case "union": {
      const [first, ...others] = new Set(item.members.map((member) => of(member, depth)))
      return others.length === 0 ? first! : ` of ${describeType(item)}`
    }
    default:
      return ` of ${describeType(item)}`
  }
}

const withFields = (type: ObjectType): string => {
  const names = Object.keys(type.fields)
  if (names.length === 0) return ""
  return ` with ${names.slice(0, 6).join(", ")}${names.length > 6 ? " …" : ""}`
}
