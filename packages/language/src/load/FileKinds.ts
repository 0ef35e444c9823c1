/** The registry of file kinds: how a file of each kind is read and checked. */
import type * as Effect from "effect/Effect"
import type { FileKind, JsonSchema } from "@planloom/plugin"
import { decodeAs, type Decoded } from "../definition/decode.ts"
import { decodeFile } from "../definition/decodeFile.ts"
import { apiVersion } from "../definition/shape/header.ts"
import type { Document } from "../source/Document.ts"
import { ownShapes, type OwnKind } from "../definition/ownShapes.ts"
import { toJsonSchema } from "../definition/Shape.ts"
import type { CheckedFile } from "./Checked.ts"
import type { LoadOptions } from "./LoadOptions.ts"

export interface RegisteredFileKind {
  /** As files write it after `kind:`. */
  readonly kind: string
  /** Called for the first file of this kind, so that unused kinds are not loaded. */
  readonly load: () => Promise<LoadedFileKind>
}

export interface LoadedFileKind {
  /** Draft-07, for editors. */
  readonly schema: JsonSchema
  /** Reads a file of this kind by itself; without it a workflow cannot name one under `use.files`. */
  readonly decode?: (document: Document, known: ReadonlyArray<string>) => Decoded<unknown>
  /** Checks a file with everything that it names; `decode` alone unless given. Never fails. */
  readonly check?: (path: string, options: LoadOptions) => Effect.Effect<CheckedFile>
  /** The plugin's own check, called once the workflow that uses the file is known. */
  readonly from?: FileKind
}

export type FileKinds = ReadonlyMap<string, RegisteredFileKind>

/** The language's own kinds, then those of the host and of plugins; the first of a kind keeps it. */
export const fileKinds = (...given: ReadonlyArray<RegisteredFileKind>): FileKinds => {
  const kinds = new Map<string, RegisteredFileKind>()
  for (const one of [...ownFileKinds, ...given]) {
    if (!kinds.has(one.kind)) kinds.set(one.kind, one)
  }
  return kinds
}

/** A kind that a plugin declares by a schema. */
export const pluginFileKind = (kind: FileKind): RegisteredFileKind => ({
  kind: kind.kind,
  load: async () => ({
    schema: withHeader(kind),
    decode: (document, known) => decodeFile(kind, document, known),
    from: kind,
  }),
})

/** The schema of the whole file, for editors. */
const withHeader = ({ kind, schema }: FileKind): JsonSchema => {
  if (typeof schema !== "object" || schema["type"] !== "object") return schema
  const { patternProperties, properties, required } = schema as {
    readonly [keyword: string]: object | ReadonlyArray<string> | undefined
  }
  return {
    ...schema,
    required: ["apiVersion", "kind", ...((required as ReadonlyArray<string>) ?? [])],
    properties: {
      apiVersion: { const: apiVersion },
      kind: { const: kind },
      ...properties,
    },
    patternProperties: { ...patternProperties, "^x-": {} },
  } as JsonSchema
}

/** A kind whose files are read alone, by a shape. */
const shaped = (kind: Exclude<OwnKind, "Workflow" | "Project">): RegisteredFileKind => ({
  kind,
  load: async () => ({
    schema: toJsonSchema(ownShapes[kind], `Planloom ${kind}`),
    decode: (document, known) => decodeAs<unknown>(kind, ownShapes[kind], document, known),
  }),
})

const ownFileKinds: ReadonlyArray<RegisteredFileKind> = [
  { kind: "Workflow", load: async () => (await import("./workflowKind.ts")).workflowKind },
  shaped("PlanTemplate"),
  shaped("Catalog"),
  shaped("Models"),
  shaped("Examples"),
  { kind: "Project", load: async () => (await import("./projectKind.ts")).projectKind },
]
