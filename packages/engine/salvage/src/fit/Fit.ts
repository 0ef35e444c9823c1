/** Result of fitting a value to a schema: the changes made, and the remaining problems. */
import type { Node } from "../read/Node.ts"
import type { Coercion, Json } from "../Salvage.ts"

export interface Note {
  readonly kind: Coercion
  readonly node: Node
  readonly detail?: string
}

export interface Problem {
  readonly message: string
  readonly node: Node
}

export interface Fit {
  /** `undefined`: nothing to show yet in a partial value. */
  readonly value: Json | undefined
  readonly cost: number
  readonly notes: ReadonlyArray<Note>
  readonly problems: ReadonlyArray<Problem>
}

/** Cost of a change. The cheapest reading wins; a problem outweighs all changes. */
export const COST = {
  scalar: 1,
  name: 1,
  loose: 5,
  extra: 2,
  dropped: 10,
  shape: 20,
  problem: 1000,
} as const

const nothing: ReadonlyArray<never> = []

export const fits = (value: Json | undefined): Fit => ({
  value,
  cost: 0,
  notes: nothing,
  problems: nothing,
})

export const changed = (
  kind: Coercion,
  node: Node,
  value: Json,
  cost: number,
  detail?: string,
): Fit => ({
  value,
  cost,
  notes: [detail === undefined ? { kind, node } : { kind, node, detail }],
  problems: nothing,
})

export const mismatch = (node: Node, message: string): Fit => ({
  value: undefined,
  cost: COST.problem,
  notes: nothing,
  problems: [{ message, node }],
})

/** Adds a change to a fit. */
export const also = (fit: Fit, kind: Coercion, node: Node, cost: number, detail?: string): Fit => ({
  ...fit,
  cost: fit.cost + cost,
  notes: [detail === undefined ? { kind, node } : { kind, node, detail }, ...fit.notes],
})
