/**
 * Fits what was read to a schema. Each node is fitted to each schema once, so that unions and recursive schemas take
 * time in proportion to the text. Depth is bounded by the reader.
 */
import { isMissing, type Node, toValue } from "../read/Node.ts"
import type { Json, Liberties, Schema } from "../Salvage.ts"
import { COST, type Fit, fits, misfit } from "./Fit.ts"
import { type Begun, fitArray } from "./fitArray.ts"
import { fitChoice } from "./fitChoice.ts"
import { fitObject, type NameTable } from "./fitObject.ts"
import { fitBoolean, fitNull, fitNumber, fitString } from "./fitScalar.ts"
import { type ObjectSchema, type SchemaDocument, typesOf } from "./Schema.ts"

export class Fitter {
  readonly document: SchemaDocument
  /** The text is still coming: what is missing is not a problem, and numbers and words are shown when they have ended. */
  readonly partial: boolean
  readonly maxDepth: number
  readonly liberties: Liberties
  /** What the nodes stand in. */
  text: { slice(from: number, to: number): string } = ""
  private readonly known = new Map<Node, Map<object, Fit>>()
  private readonly tables = new Map<object, NameTable | undefined>()
  private readonly growing = new WeakMap<Node, Map<object, Begun>>()

  constructor(
    document: SchemaDocument,
    partial: boolean,
    maxDepth: number,
    liberties: Liberties = {},
  ) {
    this.document = document
    this.partial = partial
    this.maxDepth = maxDepth
    this.liberties = liberties
  }

  fit(node: Node, schema: Schema): Fit {
    const plain = this.document.resolve(schema)
    if (plain === true) return fits(toValue(node))
    if (plain === false) return misfit(node, "is not allowed")
    let known = this.known.get(node)
    const found = known?.get(plain)
    if (found !== undefined) return found
    if (known === undefined) this.known.set(node, (known = new Map()))
    // Led back to itself, as a list of lists of itself would: not that way.
    known.set(plain, misfit(node, "fits no schema"))
    const fit = this.work(node, plain)
    if (!this.partial || node.closed) known.set(plain, fit)
    else {
      known.delete(plain)
      if (known.size === 0) this.known.delete(node)
    }
    return fit
  }

  /** What was worked out of a list that still grows. */
  begun(live: Node, schema: object, make: () => Begun): Begun {
    let lists = this.growing.get(live)
    if (lists === undefined) this.growing.set(live, (lists = new Map()))
    let found = lists.get(schema)
    if (found === undefined) lists.set(schema, (found = make()))
    return found
  }

  /** How the names of a schema may be written, worked out once. */
  names(schema: object, make: () => NameTable | undefined): NameTable | undefined {
    if (this.tables.has(schema)) return this.tables.get(schema)
    const table = make()
    this.tables.set(schema, table)
    return table
  }

  private work(node: Node, schema: ObjectSchema): Fit {
    const branches = schema.anyOf ?? schema.oneOf
    if (branches !== undefined && schema.properties === undefined && schema.items === undefined) {
      return this.cheapest(
        branches.map((branch) => () => this.fit(node, branch)),
        node,
      )
    }
    if (isMissing(node)) return misfit(node, "has no value")
    if (schema.const !== undefined) return this.choice(node, schema, [schema.const])
    if (schema.enum !== undefined) return this.choice(node, schema, schema.enum)
    const types = typesOf(schema)
    if (types.length === 0) return fits(toValue(node))
    return types.length === 1
      ? this.fitType(node, schema, types[0]!)
      : this.cheapest(
          types.map((type) => () => this.fitType(node, schema, type)),
          node,
        )
  }

  private choice(node: Node, schema: ObjectSchema, choices: ReadonlyArray<Json>): Fit {
    if (this.partial && !node.closed) return fits(undefined)
    return this.orUnwrapped(node, schema, fitChoice(this, node, schema, choices))
  }

  private fitType(node: Node, schema: ObjectSchema, type: string): Fit {
    if (isMissing(node) && type !== "null") return misfit(node, "has no value")
    switch (type) {
      case "object":
        return this.orUnwrapped(node, schema, fitObject(this, node, schema))
      case "array":
        return this.orUnwrapped(node, schema, fitArray(this, node, schema))
      case "string":
        return fitString(this, node, schema)
    }
    if (this.partial && !node.closed) return fits(undefined)
    switch (type) {
      case "number":
      case "integer":
        return this.orUnwrapped(node, schema, fitNumber(node, type))
      case "boolean":
        return this.orUnwrapped(node, schema, fitBoolean(node))
      case "null":
        return fitNull(node)
      default:
        return fits(toValue(node))
    }
  }

  /** `{"result": x}` or `[x]` where x was asked for. */
  private orUnwrapped(node: Node, schema: ObjectSchema, fit: Fit): Fit {
    if (node.size !== 1) return fit
    // An object whose only member was dropped holds nothing of what was said.
    const isEmptied = node.kind === "object" && fit.notes[0]?.kind === "dropped_member"
    if (fit.problems.length === 0 && !isEmptied) return fit
    if (this.partial && node.kind === "object") return fit
    if (node.kind === "array" && typesOf(schema).includes("array")) return fit
    const inner = this.fit(node.items[0]!, schema)
    if (inner.problems.length > 0) return fit
    const around = node.kind === "object" ? node.keys[0]! : "[ ]"
    return {
      ...inner,
      cost: inner.cost + COST.shape,
      notes: [{ kind: "unwrapped", node, detail: around }, ...inner.notes],
    }
  }

  /** Of several readings, the one that changes least; the first of equals. */
  private cheapest(readings: ReadonlyArray<() => Fit>, node: Node): Fit {
    let best: Fit | undefined
    for (const reading of readings) {
      const fit = reading()
      if (best === undefined || fit.cost < best.cost) best = fit
      if (best.cost === 0) return best
    }
    return best ?? misfit(node, "fits no schema")
  }

  /** Fits a value that stands in a text of its own. */
  within(text: string): Fitter {
    const inner = new Fitter(this.document, false, this.maxDepth, this.liberties)
    inner.text = text
    return inner
  }

  /** How a node stands in the text. */
  sourceOf(node: Node): string {
    return this.text.slice(node.start, node.end).trim()
  }
}
