/** Repairs of the params of a call: known mistakes that are fixed before the call is checked. */
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"

/** One repair of a call. */
export interface Repair extends JsonObject {
  /** `params.to.0`, `inputs.file`. */
  readonly path: string
  /** Null if the value was absent. */
  readonly from: Json
  /** Null if the value was removed. */
  readonly to: Json
  readonly why: string
  /** `to_number`, `fold_choice` …, or a rule of a domain. */
  readonly rule: string
}

/** The parts of a tool that a repair reads. */
export interface CalledTool {
  readonly name: string
  readonly params: JsonSchema
  /** A tool without one counts as `write`. */
  readonly effect?: "none" | "read" | "write"
}

/** Repairs the params of a call by the schema of its tool. Pure; returns a valid call unchanged. */
export type RepairParams = (
  tool: CalledTool,
  params: JsonObject,
) => { readonly params: JsonObject; readonly repairs: ReadonlyArray<Repair> }
