/** References from files and sections to other parts of a workflow, and problems found in them. */
import type { ReviewerClass, Verdict } from "./Finding.ts"
import type { Declared } from "./Declared.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"

/** Keys and indexes from the top of a value down to a part of it: `["rules", 2, "when"]`. */
export type ValuePath = ReadonlyArray<string | number>

/** A name in a value that refers to something outside of it. */
export interface Reference {
  /**
   * Kind of the target: `tool`, `tools` (a tool, or the start of names, `github.*`), `prompt`, `mode` (of prompts), `workflow`, `file` (a path), `image` (a path that runs read), a component kind in the
   * singular (`stage`, `provider`, `domain` …), `reviewer` (a subagent or validator), or the kind of a file under `use.files`, by its `name`.
   */
  readonly to: string
  readonly id: string
  /** Location of the name in the value. */
  readonly at: ValuePath
  /** Of a reviewer: the options that it is given, checked against its `input`; `withAt` is their location. */
  readonly with?: JsonObject
  readonly withAt?: ValuePath
}

/** A problem of a value, reported at its location in the YAML. */
export interface Problem {
  /** A code of your own, such as `TONE001`; codes that start with PL are reserved for the engine. */
  readonly code: string
  readonly message: string
  readonly at: ValuePath
  /** What to write instead. */
  readonly fix?: string
}

/** Scope of a value: the workflow's tools, prompts, components and files. */
export interface Known {
  readonly has: (reference: Reference) => boolean
  /** Input schema of the target: `params` of a tool, `with` of a stage kind, the outputs of a workflow. */
  readonly schemaOf: (reference: Reference) => JsonSchema | undefined
  /** Schema of the workflow's outputs, an object; undefined for a file without a workflow. */
  readonly outputs?: JsonSchema
  /** Schema of the workflow's inputs with their defaults, an object; undefined for a file without a workflow. */
  readonly inputs?: JsonSchema
  /** Schema of the workflow's `user:`; undefined for a workflow without users. */
  readonly user?: JsonSchema | undefined
  /** Whether runs of the workflow may be turns of a session. */
  readonly hasSession?: boolean
  /** A subagent or validator; undefined for an unknown id. */
  readonly reviewer: (id: string) => ReviewerFacts | undefined
  /** Contents of the files of a kind under `use.files`, in declared order. */
  readonly files: (kind: string) => ReadonlyArray<Json>
  /** The declarations of the workflow for plugins, with the files that it is written in; undefined for a file without a workflow. */
  readonly declared?: Declared | undefined
}

/** A reviewer as its gate and the checks of a section see it. */
export interface ReviewerFacts {
  readonly id: string
  readonly kind: "subagent" | "validator"
  readonly class: ReviewerClass
  readonly can: ReadonlyArray<Verdict>
  readonly at: "input" | "window" | "whole"
  /** Of `window`: the longest text it may match, in characters. */
  readonly longest?: number
  /** Of a validator of parts: characters before its open end that it reads again. */
  readonly lookbehind?: number
  /** Whether its findings may say where. */
  readonly spans: boolean
  /** How much of the conversation it reads. */
  readonly scope: "last" | "turn" | "conversation"
  /** JSON Schema of its `with`. */
  readonly input?: JsonSchema
  readonly timeout?: string
  /** Problems of a `with` that fits `input`. */
  readonly check?: (options: JsonObject, known: Known) => ReadonlyArray<Problem>
}
