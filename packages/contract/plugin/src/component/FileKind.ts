/** File kinds: YAML files that a workflow names under `use.files`, each with its own `kind:`. */
import type { Effect } from "effect/Effect"
import type { Json, JsonSchema } from "../value/Json.ts"
import type { Known, Problem, Reference } from "./Reference.ts"

/**
 * A kind of file. Stage kinds read the files of a kind with `StageContext.files`. The `schema` describes the file
 * without `apiVersion` and `kind`; besides the formats of JSON Schema it may use `cel`, `duration`, `name` and `path`.
 * `refers` and `check` see only values that fit it.
 */
export interface FileKind<Value = Json> {
  /** The value of `kind:` in files. */
  readonly kind: string
  readonly summary: string
  readonly schema: JsonSchema
  /** Names in the file that must exist. */
  /** Keys of the file that are sections of every workflow that uses it, with the meaning that plugins give them there. */
  readonly sections?: ReadonlyArray<string>
  readonly refers?: (value: Value) => ReadonlyArray<Reference>
  readonly check?: (value: Value, known: Known) => Effect<ReadonlyArray<Problem>>
}

/** Declares a file kind; `Value` must agree with `schema`. */
export const fileKind = <Value>(kind: FileKind<Value>): FileKind => kind as unknown as FileKind
