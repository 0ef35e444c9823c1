/** Fast check: whether a value fits a schema without any change, so that the fitter is not needed. */
import type { Json, JsonObject, Schema } from "../Salvage.ts"
import { type ObjectSchema, type SchemaDocument, typesOf } from "./Schema.ts"
import { toDate } from "./toDate.ts"

/** Maximum number of schemas followed for one value. */
const MAX_HOPS = 16

export class ExactFit {
  private readonly document: SchemaDocument
  /** Remaining checks: nested unions may check a value many times. */
  private left: number

  constructor(document: SchemaDocument, left: number) {
    this.document = document
    this.left = left
  }

  /** `false`: the value does not fit, or only the fitter can decide. */
  fits(value: Json, schema: Schema, hops = 0): boolean {
    const plain = this.document.resolve(schema)
    if (typeof plain === "boolean") return plain
    if (--this.left < 0 || hops > MAX_HOPS) return false
    const branches = plain.anyOf ?? plain.oneOf
    if (branches !== undefined && plain.properties === undefined && plain.items === undefined)
      return branches.some((branch) => this.fits(value, branch, hops + 1))
    if (plain.const !== undefined) return isChoice(value, plain, [plain.const])
    if (plain.enum !== undefined) return isChoice(value, plain, plain.enum)
    const types = typesOf(plain)
    return types.length === 0 || types.some((type) => this.fitsType(value, plain, type))
  }

  private fitsType(value: Json, schema: ObjectSchema, type: string): boolean {
    switch (type) {
      case "object":
        return (
          typeof value === "object" &&
          value !== null &&
          !Array.isArray(value) &&
          this.fitsMembers(value, schema)
        )
      case "array":
        return Array.isArray(value) && this.fitsItems(value, schema)
      case "string":
        return typeof value === "string" && isDated(value, schema.format)
      case "integer":
        return Number.isInteger(value)
    }
    return type === "null" ? value === null : typeof value === type
  }

  private fitsMembers(value: JsonObject, schema: ObjectSchema): boolean {
    const { additionalProperties = true, patternProperties, properties, propertyNames } = schema
    if (patternProperties !== undefined || propertyNames !== undefined) return false
    if (properties !== undefined && hasAlias(properties)) return false
    for (const name of Object.keys(value)) {
      const isKnown = properties !== undefined && Object.hasOwn(properties, name)
      // An unknown name may mean one of the properties.
      if (!isKnown && properties !== undefined) return false
      if (!this.fits(value[name]!, isKnown ? properties[name]! : additionalProperties)) return false
    }
    return (schema.required ?? []).every((name) => Object.hasOwn(value, name))
  }

  private fitsItems(value: ReadonlyArray<Json>, schema: ObjectSchema): boolean {
    const { items = true, prefixItems } = schema
    if (prefixItems !== undefined || Array.isArray(items)) return false
    return value.every((item) => this.fits(item, items as Schema))
  }
}

const isChoice = (value: Json, schema: ObjectSchema, choices: ReadonlyArray<Json>): boolean =>
  typeof value !== "object" && schema["x-alias"] === undefined && choices.includes(value)

const isDated = (text: string, format: string | undefined): boolean => {
  const date = format === undefined ? undefined : toDate(text, format)
  return date === undefined || date === text
}

const aliased = new WeakMap<object, boolean>()

/** Whether a property has an `x-alias`. */
const hasAlias = (properties: { readonly [name: string]: Schema }): boolean => {
  let has = aliased.get(properties)
  if (has === undefined) {
    has = Object.values(properties).some(
      (property) => typeof property === "object" && property["x-alias"] !== undefined,
    )
    aliased.set(properties, has)
  }
  return has
}
