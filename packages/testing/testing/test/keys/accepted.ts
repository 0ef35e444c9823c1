/** Every key that is accepted: of the language's own kinds of files, and of the kinds, stage kinds and sections of first-party plugins. */
import analyst from "@planloom/analyst"
import documents from "@planloom/documents"
import hooks from "@planloom/hooks"
import { ownKinds, schemaOf, switchKind } from "@planloom/language"
import { isObject, schemaKeys } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import { fileKinds } from "../../src/file/fileKinds.ts"

/** Keys that only identify or document a file: a whole path, or its last part. */
export const documentation: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "description",
  "docs",
  "Catalog.name",
  "Documents.name",
  "HookSet.name",
  "Vocabulary.name",
])

/** Inputs of stage kinds that are data of other stages, not settings: their content has its own schema and tests. */
const data = new Set([
  "requirements",
  "plan",
  "vocabulary",
  "history",
  "profile",
  "results",
  "search",
])

const withoutData = (schema: JsonSchema): JsonSchema =>
  isObject(schema as Json) && isObject((schema as { properties?: Json }).properties)
    ? ({
        ...(schema as object),
        properties: Object.fromEntries(
          Object.entries((schema as { properties: object }).properties).map(([key, inner]) => [
            key,
            data.has(key) ? {} : (inner as Json),
          ]),
        ),
      } as JsonSchema)
    : schema

const plugins = [stages, analyst, documents, hooks, shadow].map(
  ({ components }) => components ?? {},
)

const describedKeys = (schema: JsonSchema, name: string) =>
  [...schemaKeys(schema, name)].map(([key, { description }]) => [key, description] as const)

/** Every key with its description, in the order of the schemas. */
export const described: ReadonlyMap<string, string> = new Map([
  ...ownKinds.flatMap((kind) => describedKeys(schemaOf(kind), kind)),
  ...(
    await Promise.all(
      fileKinds.map(async ({ kind, load }) => describedKeys((await load()).schema, kind)),
    )
  ).flat(),
  ...describedKeys(switchKind.input, switchKind.id),
  ...plugins.flatMap(({ fileKinds: kinds = [], sections = [], stages: uses = [] }) => [
    ...kinds.flatMap(({ kind, schema }) => describedKeys(schema, kind)),
    ...sections.flatMap(({ key, on, schema }) => describedKeys(schema, `${on} ${key}`)),
    ...uses.flatMap(({ id, input }) => describedKeys(withoutData(input), id)),
  ]),
])

export const accepted: ReadonlyArray<string> = [...described.keys()]
