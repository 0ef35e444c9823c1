/** Sections at one place of a workflow → what gives expressions their values. */
import { validatorOf } from "@planloom/schema/ajv"
import { nestedSchema } from "@planloom/schema"
import type { DocumentPath, RunResources } from "@planloom/language"
import type { PipelineSection } from "./Pipeline.ts"

export const compileSections = (
  { pluginSections = [] }: RunResources,
  path: DocumentPath,
): ReadonlyArray<PipelineSection> =>
  pluginSections.flatMap(({ bound, key, path: at, variables: schemas }) => {
    const { variables } = bound
    if (variables === undefined || schemas === undefined) return []
    if (at.join("/") !== path.join("/")) return []
    return [
      {
        key,
        variables,
        validate: validatorOf({
          type: "object",
          properties: Object.fromEntries(
            Object.entries(schemas).map(([name, schema]) => [
              name,
              nestedSchema(schema, `/properties/${name}`),
            ]),
          ),
          required: Object.keys(schemas),
          additionalProperties: false,
        }),
      },
    ]
  })
