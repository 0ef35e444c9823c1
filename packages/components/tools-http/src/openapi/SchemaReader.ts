/** Schemas of OpenAPI 3.0 and 3.1 as JSON Schema that stands alone, with shared schemas under `$defs`. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { isObject, keywords, linearPattern } from "@planloom/schema"
import { firstSentences } from "./words.ts"
import { below, entriesOf, itemsOf, objectOf, refProblem, type Part, type Spec } from "./Spec.ts"

/** Of a request, read-only properties are left out; of an answer, write-only ones need not be there. */
export type Direction = "request" | "answer"

type Members = { [keyword: string]: unknown }

/** Words that describe and do not decide: left out of answers, and of everything that no model reads. */
const annotations = new Set([
  "title",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "contentMediaType",
  "contentEncoding",
])

/** Words that depend on where a schema stands in its document. */
const positional = new Set([
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$schema",
  "$defs",
  "definitions",
])

/** Characters of a description that a schema keeps. */
const MAX_DESCRIPTION_CHARACTERS = 200

const types = new Set(["string", "integer", "number", "boolean", "object", "array", "null"])

export class SchemaReader {
  private readonly spec: Spec
  private readonly direction: Direction
  private readonly defs = new Map<string, Members | boolean>()
  /** Names of shared schemas, by their place. */
  private readonly names = new Map<string, string>()

  constructor(spec: Spec, direction: Direction) {
    this.spec = spec
    this.direction = direction
  }

  /** Adds the shared schemas that `schema` and those that it refers to need. */
  complete(schema: JsonSchema): JsonSchema {
    if (typeof schema === "boolean" || this.defs.size === 0) return schema
    return {
      ...schema,
      $defs: Object.fromEntries([...this.defs].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    }
  }

  read(part: Part): Members | boolean {
    const { value } = part
    if (typeof value === "boolean") return value
    if (!isObject(value as never)) {
      this.spec.skip(part, "is not a schema; anything is accepted in its place")
      return true
    }
    const { $ref } = objectOf(part)
    if (typeof $ref === "string") return this.reference(part, $ref)
    const found: Members = {}
    for (const [word, inner] of entriesOf(part)) this.keyword(word, inner, part, found)
    this.withoutOtherDirection(part, found)
    return this.nullable(part, found)
  }

  private reference(part: Part, reference: string): Members | boolean {
    const target = this.spec.target(reference)
    if (target === undefined) {
      this.spec.skip(below(part, "$ref"), refProblem(reference))
      return true
    }
    const name = this.nameOf(target)
    const found: Members = { $ref: `#/$defs/${name}` }
    const { $ref: _, nullable, ...rest } = objectOf(part)
    // 3.0 ignores it here, but documents that say it mean it.
    const schema = nullable === true ? { anyOf: [found, { type: "null" }] } : found
    const siblings = Object.keys(rest).filter(
      (word) => keywords.has(word) && !annotations.has(word),
    )
    // Draft 7 and OpenAPI 3.0 ignore what stands beside a reference; 3.1 does not.
    return siblings.every((word) => word === "description")
      ? schema
      : { allOf: [schema, this.read({ path: part.path, value: rest })] }
  }

  private nameOf(target: Part): string {
    const place = target.path.join("/")
    const known = this.names.get(place)
    if (known !== undefined) return known
    const wanted = String(target.path.at(-1)).replaceAll(/[^A-Za-z0-9_]/g, "_") || "schema"
    let name = wanted
    for (let n = 2; this.defs.has(name); n++) name = `${wanted}_${n}`
    this.names.set(place, name)
    // A schema that refers to itself finds its name while it is read.
    this.defs.set(name, true)
    this.defs.set(name, this.read(target))
    return name
  }

  private keyword(word: string, inner: Part, schema: Part, found: Members): void {
    const { value } = inner
    if (positional.has(word)) {
      if (word === "$dynamicRef")
        this.spec.skip(
          inner,
          "dynamic references are not supported; anything is accepted in its place",
        )
      return
    }
    const form = keywords.get(word)
    if (form === undefined || annotations.has(word)) return
    switch (word) {
      case "description":
        if (this.direction === "request" && typeof value === "string") {
          found[word] = firstSentences(value, MAX_DESCRIPTION_CHARACTERS)
        }
        return
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return this.exclusive(word, inner, schema, found)
      case "pattern":
        if (this.isUsable(inner)) found[word] = value
        return
      case "type":
        if ([value].flat().every((one) => types.has(one as string))) found[word] = value
        else
          this.spec.skip(
            inner,
            `${JSON.stringify(value)} is not a type of JSON Schema; any type is accepted`,
          )
        return
      case "minimum":
      case "maximum": {
        // In 3.0 the limit belongs to a flag beside it.
        const flag = word === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
        if (objectOf(schema)[flag] !== true) found[word] = value
        return
      }
      case "required":
        if (Array.isArray(value)) found[word] = value
        else this.spec.skip(inner, "`required` of a schema is a list; it is left out")
        return
    }
    // The discriminator decides between alternatives that may overlap as schemas.
    const isDecided = word === "oneOf" && objectOf(schema)["discriminator"] !== undefined
    found[isDecided ? "anyOf" : word] = this.nested(form, inner)
  }

  private nested(form: string, part: Part): unknown {
    switch (form) {
      case "schema":
      case "items":
        return this.read(part)
      case "schemas":
        return itemsOf(part).map((one) => this.read(one))
      case "schemasByName":
        return Object.fromEntries(entriesOf(part).map(([name, one]) => [name, this.read(one)]))
      default:
        return part.value
    }
  }

  private exclusive(
    word: "exclusiveMinimum" | "exclusiveMaximum",
    { value }: Part,
    schema: Part,
    found: Members,
  ): void {
    const limit = word === "exclusiveMinimum" ? "minimum" : "maximum"
    if (typeof value === "number") found[word] = value
    else if (value === true && typeof objectOf(schema)[limit] === "number")
      found[word] = objectOf(schema)[limit]
  }

  private isUsable(part: Part): boolean {
    try {
      linearPattern(String(part.value))
      return true
    } catch {
      this.spec.skip(
        part,
        "the pattern does not match in linear time (look-around, back-references); it is left out",
      )
      return false
    }
  }

  /** `nullable` of 3.0 is a type of its own in JSON Schema. */
  private nullable(part: Part, found: Members): Members {
    if (objectOf(part)["nullable"] !== true) return found
    const { enum: values, type } = found
    if (type === undefined) {
      return Object.keys(found).length === 0 ? found : { anyOf: [found, { type: "null" }] }
    }
    return {
      ...found,
      type: [...new Set([type, "null"].flat())],
      ...(Array.isArray(values) && !values.includes(null)
        ? { enum: [...(values as ReadonlyArray<Json>), null] }
        : {}),
    }
  }

  private withoutOtherDirection(part: Part, found: Members): void {
    const { properties, required } = found as {
      readonly properties?: { [name: string]: unknown }
      readonly required?: ReadonlyArray<string>
    }
    if (properties === undefined) return
    const flag = this.direction === "request" ? "readOnly" : "writeOnly"
    for (const [name, one] of entriesOf(below(part, "properties"))) {
      if (objectOf(this.spec.follow(one) ?? one)[flag] !== true) continue
      if (this.direction === "request") delete properties[name]
      if (required !== undefined)
        found["required"] = (found["required"] as ReadonlyArray<string>).filter(
          (key) => key !== name,
        )
    }
  }
}
