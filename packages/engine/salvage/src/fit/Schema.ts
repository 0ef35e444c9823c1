/** JSON Schema keywords that guide the fitter. The final validation is Ajv's. */
import type { Json, Schema } from "../Salvage.ts"

export interface ObjectSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Schema
  readonly patternProperties?: { readonly [pattern: string]: Schema }
  readonly propertyNames?: Schema
  readonly items?: Schema | ReadonlyArray<Schema>
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly additionalItems?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<Json>
  readonly const?: Json
  readonly format?: string
  /** Name shown to the model instead of the property's own; for an enum, a map by value. */
  readonly "x-alias"?: string | { readonly [value: string]: string }
  /** Further accepted names of a property or of enum values. */
  readonly "x-aliases"?: ReadonlyArray<string> | { readonly [value: string]: ReadonlyArray<string> }
  readonly [keyword: string]: unknown
}

/** Resolves `$ref`s inside the document and merges `allOf`; caches each schema object. */
export class SchemaDocument {
  readonly root: Schema
  private readonly plain = new Map<object, ObjectSchema | boolean>()

  constructor(root: Schema) {
    this.root = root
  }

  resolve(schema: Schema): ObjectSchema | boolean {
    if (typeof schema === "boolean") return schema
    const known = this.plain.get(schema)
    if (known !== undefined) return known
    // A schema that refers to itself allows anything while it is being resolved.
    this.plain.set(schema, true)
    const resolved = this.merge(schema as ObjectSchema)
    this.plain.set(schema, resolved)
    return resolved
  }

  private merge(schema: ObjectSchema): ObjectSchema | boolean {
    const { $ref, allOf, ...own } = schema
    const parts: Array<ObjectSchema | boolean> = []
    if (typeof $ref === "string") parts.push(this.resolve(this.find($ref)))
    for (const part of allOf ?? []) parts.push(this.resolve(part))
    if (parts.length === 0) return schema
    if (parts.includes(false)) return false
    const objects = parts.filter((part) => typeof part === "object")
    if (objects.length === 1 && Object.keys(own).length === 0) return objects[0]!
    return [...objects, own as ObjectSchema].reduce(joined, {})
  }

  /** Looks up a pointer in this document; any other reference allows anything. */
  private find(ref: string): Schema {
    if (ref === "#") return this.root
    if (!ref.startsWith("#/")) return true
    let at: unknown = this.root
    for (const step of ref.slice(2).split("/")) {
      const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
      if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return true
      at = (at as { [key: string]: unknown })[name]
    }
    return typeof at === "object" && at !== null ? (at as Schema) : true
  }
}

const joined = (a: ObjectSchema, b: ObjectSchema): ObjectSchema => ({
  ...a,
  ...b,
  ...(a.properties && b.properties ? { properties: { ...a.properties, ...b.properties } } : {}),
  ...(a.required && b.required ? { required: [...new Set([...a.required, ...b.required])] } : {}),
})

/** Types that a schema allows; empty if it has no restriction. */
export const typesOf = (schema: ObjectSchema): ReadonlyArray<string> => {
  if (typeof schema.type === "string") return [schema.type]
  if (schema.type !== undefined) return schema.type
  if (
    schema.properties ||
    schema.required ||
    schema.additionalProperties !== undefined ||
    schema.propertyNames
  ) {
    return ["object"]
  }
  return schema.items !== undefined || schema.prefixItems ? ["array"] : []
}
