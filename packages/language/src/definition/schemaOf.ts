/** The JSON Schema (draft-07) of a kind of file, for editors. */
import type { JsonSchema } from "@planloom/plugin"
import { toJsonSchema } from "./Shape.ts"
import { ownShapes, type OwnKind } from "./ownShapes.ts"

/** With `stageKinds`, `uses` completes to their ids and `with` to the keys of each kind. */
export const schemaOf = (
  kind: OwnKind,
  stageKinds: ReadonlyArray<{
    readonly id: string
    readonly summary: string
    readonly input: JsonSchema
  }> = [],
): JsonSchema => {
  const schema = toJsonSchema(ownShapes[kind], `Planloom ${kind}`) as {
    readonly [word: string]: unknown
  }
  if (kind !== "Workflow" || stageKinds.length === 0) return schema
  const definitions = schema["definitions"] as { readonly [name: string]: object }
  return {
    ...schema,
    definitions: {
      ...definitions,
      stage: { ...definitions["stage"], allOf: stageKinds.map(withOf) },
    },
  }
}

/** Inside a stage of this kind, `with` holds what the kind takes; each value may be an expression. */
const withOf = ({ id, input, summary }: { id: string; summary: string; input: JsonSchema }) => {
  const properties =
    typeof input === "object"
      ? ((input["properties"] ?? {}) as { readonly [key: string]: unknown })
      : {}
  return {
    if: { properties: { uses: { const: id } }, required: ["uses"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: {
      properties: {
        uses: { description: summary },
        with: {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, schema]) => [
              key,
              { anyOf: [{ type: "string", pattern: "\\$\\{\\{" }, schema] },
            ]),
          ),
          additionalProperties: false,
        },
      },
    },
  }
}
