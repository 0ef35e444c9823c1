/** An OpenAPI document as values that know their place in it, with references resolved. */
import type { Json, JsonObject, ValuePath } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

/** A part of the document. */
export interface Part {
  readonly value: Json | undefined
  readonly path: ValuePath
}

/** A part of the document that the import leaves out or reads otherwise, and why. */
export interface Skipped {
  readonly path: ValuePath
  readonly message: string
}

export class Spec {
  readonly root: Part
  readonly skipped: Array<Skipped> = []
  private readonly reported = new Set<string>()

  constructor(document: Json) {
    this.root = { value: document, path: [] }
  }

  skip({ path }: Part, message: string): void {
    // A shared part is read once for each operation that refers to it, and reported once.
    const key = [...path, message].join("\0")
    if (this.reported.has(key)) return
    this.reported.add(key)
    this.skipped.push({ path, message })
  }

  /** The part that a chain of references leads to; undefined, and reported, if it leads nowhere. */
  follow(part: Part): Part | undefined {
    let at = part
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const { $ref } = objectOf(at)
      if (typeof $ref !== "string") return at
      const target = this.target($ref)
      if (target === undefined) {
        this.skip(below(at, "$ref"), refProblem($ref))
        return undefined
      }
      at = target
    }
    this.skip(part, "its references lead in a circle")
    return undefined
  }

  /** The part at a JSON Pointer in this document. */
  target(reference: string): Part | undefined {
    if (!reference.startsWith("#/")) return undefined
    let at: Part = this.root
    for (const step of reference.slice(2).split("/")) {
      const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~")
      at = below(at, Array.isArray(at.value) ? Number(key) : key)
      if (at.value === undefined) return undefined
    }
    return at
  }
}

/** References in a row. */
const MAX_HOPS = 20

export const refProblem = (reference: string): string =>
  reference.startsWith("#")
    ? `"${reference}" leads nowhere in this document`
    : `"${reference}" is outside this document; bundle the document into one file first`

const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

export const below = ({ path, value }: Part, key: string | number): Part => {
  const around = value as { readonly [key: string]: Json } | null | undefined
  const has = typeof around === "object" && around !== null && Object.hasOwn(around, key)
  return { path: [...path, key], value: has ? around[key] : undefined }
}

/** Its members; none for a part that is no object. */
export const objectOf = ({ value }: Part): JsonObject =>
  isObject(value as never) ? (value as JsonObject) : {}

export const entriesOf = (part: Part): ReadonlyArray<readonly [key: string, part: Part]> =>
  Object.keys(objectOf(part)).map((key) => [key, below(part, key)])

export const itemsOf = (part: Part): ReadonlyArray<Part> =>
  Array.isArray(part.value) ? part.value.map((_, index) => below(part, index)) : []

export const textAt = (part: Part, key: string): string | undefined => {
  const { value } = below(part, key)
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
