/** The registry of file kinds: how a file of each kind is read and checked. */
import type { FileKind, JsonSchema } from "@planloom/plugin/effect"
import { decodeAs, ownKinds } from "../definition/decode.ts"
import { decodeFile } from "../definition/decodeFile.ts"
import { apiVersion } from "../definition/shape/header.ts"
import { ownShapes, type OwnKind } from "../definition/ownShapes.ts"
import { schemaOf } from "../definition/schemaOf.ts"
import type { LoadedFileKind, RegisteredFileKind } from "./LoadOptions.ts"

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

/** The kind of the workflow and that of the project file have no `decode`: `checkFile` checks them with all they name. */
const ownFileKinds = ownKinds.map((kind): RegisteredFileKind => ({
  kind,
  load: async () => ({ schema: schemaOf(kind), ...decodedAlone(kind) }),
}))

const decodedAlone = (kind: OwnKind): Pick<LoadedFileKind, "decode"> =>
  kind === "Workflow" || kind === "Project"
    ? {}
    : { decode: (document, known) => decodeAs<unknown>(kind, ownShapes[kind], document, known) }
