/** References from files and sections to what else a workflow knows, and problems found in them. */
import type { Json, JsonSchema } from "./Json.ts"

/** Keys and indexes from the top of a value down to a part of it: `["rules", 2, "when"]`. */
export type ValuePath = ReadonlyArray<string | number>

/** One name in a value that stands for something outside of it. */
export interface Reference {
  /**
   * What kind of thing is named: `tool`, `template`, `prompt`, `workflow`, `file` (a path), a component kind in the
   * singular (`stage`, `provider`, `domain` …), or the kind of a file under `use.files`, by its `name`.
   */
  readonly to: string
  readonly id: string
  /** Where in the value the name stands. */
  readonly at: ValuePath
}

/** Something wrong with a value, reported at its position in the YAML. */
export interface Problem {
  /** A code of your own, such as `TONE001`; codes that begin with PL are the engine's. */
  readonly code: string
  readonly message: string
  readonly at: ValuePath
  /** What to write instead. */
  readonly fix?: string
}

/** What the workflow around a value knows: its tools, templates, prompts, components and files. */
export interface Known {
  readonly has: (reference: Reference) => boolean
  /** Schema of the thing's input: `params` of a tool, `with` of a stage kind, the outputs of a workflow. */
  readonly schemaOf: (reference: Reference) => JsonSchema | undefined
  /** Contents of the files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<Json>
}
