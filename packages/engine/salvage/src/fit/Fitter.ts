/**
 * Fits nodes to schemas. Each node is fitted to each schema once, so that unions and recursive schemas take time
 * proportional to the text. The reader bounds the depth.
 */
import { isMissing, type Node, toValue } from "../read/Node.ts"
import type { Json, RecoveryOptions, Schema } from "../Salvage.ts"
import type { Limits } from "../Task.ts"
import { COST, type Fit, fits, mismatch } from "./Fit.ts"
import type { FitContext, ListProgress, NameTable } from "./FitContext.ts"
import { fitArray } from "./fitArray.ts"
import { fitChoice } from "./fitChoice.ts"
import { fitObject } from "./fitObject.ts"
import { fitBoolean, fitNull, fitNumber, fitString } from "./fitScalar.ts"
import { type ObjectSchema, type SchemaDocument, typesOf } from "./Schema.ts"

export class Fitter implements FitContext {
  readonly document: SchemaDocument
  /** The text is incomplete: missing members are no problem, and unfinished numbers and choices are left out. */
  readonly partial: boolean
  readonly limits: Limits
  readonly recovery: RecoveryOptions
  /** The text that the nodes' offsets refer to. */
  text: { slice(from: number, to: number): string } = ""
  private readonly known = new Map<Node, Map<object, Fit>>()
  private readonly tables = new Map<object, NameTable | undefined>()
  private readonly growing = new WeakMap<Node, Map<object, ListProgress>>()

  constructor(
    document: SchemaDocument,
    partial: boolean,
    limits: Limits,
    recovery: RecoveryOptions = {},
  ) {
    this.document = document
    this.partial = partial
    this.limits = limits
    this.recovery = recovery
  }

  fit(node: Node, schema: Schema): Fit {
    const plain = this.document.resolve(schema)
    if (plain === true) return fits(toValue(node))
    if (plain === false) return mismatch(node, "is not allowed")
    let known = this.known.get(node)
    const found = known?.get(plain)
    if (found !== undefined) return found
    if (known === undefined) this.known.set(node, (known = new Map()))
    // Guards against infinite recursion, for example of a list of lists of itself.
    known.set(plain, mismatch(node, "fits no schema"))
    const fit = this.work(node, plain)
    if (!this.partial || node.closed) known.set(plain, fit)
    else {
      known.delete(plain)
      if (known.size === 0) this.known.delete(node)
    }
    return fit
  }

  /** Cached progress of a growing list. */
  listProgress(live: Node, schema: object, make: () => ListProgress): ListProgress {
    let lists = this.growing.get(live)
    if (lists === undefined) this.growing.set(live, (lists = new Map()))
    let found = lists.get(schema)
    if (found === undefined) lists.set(schema, (found = make()))
    return found
  }

  /** Cached name table of a schema. */
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
    if (isMissing(node)) return mismatch(node, "has no value")
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
    if (isMissing(node) && type !== "null") return mismatch(node, "has no value")
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

  /** Unwraps `{"result": x}` or `[x]` if x fits. */
  private orUnwrapped(node: Node, schema: ObjectSchema, fit: Fit): Fit {
    if (node.size !== 1) return fit
    // An object whose only member was dropped has lost all content.
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

  /** The reading with the least change; the first among equals. */
  private cheapest(readings: ReadonlyArray<() => Fit>, node: Node): Fit {
    let best: Fit | undefined
    for (const reading of readings) {
      const fit = reading()
      if (best === undefined || fit.cost < best.cost) best = fit
      if (best.cost === 0) return best
    }
    return best ?? mismatch(node, "fits no schema")
  }

  /** Creates a fitter for a value in another text. */
  within(text: string): Fitter {
    const inner = new Fitter(this.document, false, this.limits, this.recovery)
    inner.text = text
    return inner
  }

  /** Source text of a node. */
  sourceOf(node: Node): string {
    return this.text.slice(node.start, node.end).trim()
  }
}
