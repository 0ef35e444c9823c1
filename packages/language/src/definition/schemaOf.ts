/** The JSON Schema (draft-07) of a kind of file, for editors. */
import type { JsonSchema } from "@planloom/plugin"
import type { OwnKind } from "./decode.ts"
import { toJsonSchema } from "./Shape.ts"
import type { Shape } from "./Shape.ts"
import { catalog } from "./shape/catalog.ts"
import { examples } from "./shape/examples.ts"
import { models } from "./shape/models.ts"
import { planTemplate } from "./shape/planTemplate.ts"
import { project } from "./shape/project.ts"
import { workflow } from "./shape/workflow.ts"

const shapes: { readonly [K in OwnKind]?: Shape<unknown> } = {
  Workflow: workflow,
  PlanTemplate: planTemplate,
  Catalog: catalog,
  Models: models,
  Examples: examples,
  Project: project,
}

/** The engine's own kinds of files that have a schema. */
export const kindsWithSchema: ReadonlyArray<OwnKind> = Object.keys(shapes) as ReadonlyArray<OwnKind>

/** With `stageKinds`, `uses` completes to their ids and `with` to the keys of each kind. */
export const schemaOf = (
  kind: OwnKind,
  stageKinds: ReadonlyArray<{
    readonly id: string
    readonly summary: string
    readonly input: JsonSchema
  }> = [],
): JsonSchema | undefined => {
  const shape = shapes[kind]
  if (!shape) return undefined
  const schema = toJsonSchema(shape, `Planloom ${kind}`) as { readonly [word: string]: unknown }
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
