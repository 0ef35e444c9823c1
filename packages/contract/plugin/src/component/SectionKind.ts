/** Section kinds: keys of a workflow, a stage or the project file that a plugin gives meaning. */
import type { Effect } from "effect/Effect"
import type { Assignment } from "../run/Assignment.ts"
import type { CallSession } from "./CallContext.ts"
import type { Collection } from "./Collection.ts"
import type { Failure } from "../run/Failure.ts"
import type { HookUse } from "./Hook.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { Known, Problem, Reference, ValuePath } from "./Reference.ts"
import type { Gate } from "./Review.ts"

/** Owner of a section; one in the project file applies to every workflow that declares its plugin. */
export type SectionOwner = "workflow" | "stage" | "project"

/**
 * A section. Its value is data as written: expressions in it are not evaluated. Besides the formats of JSON Schema the
 * `schema` may use `cel`, `duration`, `name` and `path`. The functions see only values that fit it, must be pure, and
 * are called whenever a workflow is checked.
 */
export interface SectionKind<Value = Json> {
  readonly on: SectionOwner
  /** The key, a name that expressions can use. */
  readonly key: string
  readonly summary: string
  readonly schema: JsonSchema
  /** Names in the section that must exist. */
  readonly refers?: (value: Value) => ReadonlyArray<Reference>
  readonly check?: (value: Value, known: Known) => ReadonlyArray<Problem>
  /** CEL in the section that code of the plugin evaluates; `check` types it. Its schema is a string of format `cel`. */
  readonly expressions?: (value: Value, known: Known) => ReadonlyArray<SectionExpression>
  /** What expressions may read under the key, by name: `tone.words`. Needs `variables` or `variants` of `bind`. */
  readonly variables?: (value: Value) => { readonly [name: string]: JsonSchema }
  readonly bind?: (value: Value, known: Known) => Bound
}

export interface SectionExpression {
  /** Location in the value of the section. */
  readonly at: ValuePath
  /** All that it may read, by name. */
  readonly variables: { readonly [name: string]: JsonSchema }
  readonly result: JsonSchema
}

/** Behavior of a section in a run. */
export interface Bound {
  /**
   * Values of `variables`, made once and recorded: at the start of the run, for a stage when it starts. Values that do
   * not fit their schemas fail it.
   */
  readonly variables?: (context: SectionContext) => Effect<JsonObject, Failure>
  /**
   * The variants of experiments, by experiment: made once when the run starts and recorded. Components read them with
   * `context.variant`, and expressions under the key, where they take the place of `variables`. Of a workflow or project.
   */
  readonly variants?: (
    context: SectionContext,
  ) => Effect<{ readonly [experiment: string]: Assignment }, Failure>
  /** Active where the section stands: in the whole workflow, or in its stage and the stages inside. */
  readonly hooks?: ReadonlyArray<HookUse>
  /**
   * Reads every reply that a kind marks with `parts: "reply"` before its stage and its host do. Of a stage, or else of its
   * workflow or project; `check` rejects a second one at the same place.
   */
  readonly gate?: Gate
}

export interface SectionContext {
  readonly run: string
  /** Path of the stage, for a section of one. */
  readonly path?: string
  readonly inputs: JsonObject
  /** Given by the host; empty for a workflow without users. */
  readonly user: JsonObject
  readonly session?: CallSession
  readonly collection: (name: string) => Collection
  /** Epoch milliseconds. */
  readonly now: number
}

/** Declares a section kind; `Value` must agree with `schema`. */
export const sectionKind = <Value>(kind: SectionKind<Value>): SectionKind =>
  kind as unknown as SectionKind
