/** Sections at one place of a workflow → what gives expressions their values. */
import type { Gate } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { nestedSchema } from "@planloom/schema"
import type { DocumentPath, RunResources } from "@planloom/language"
import type { PipelineSection } from "../Pipeline.ts"

/** `check` has seen that there is one at most. */
export const gateAt = (
  { pluginSections = [] }: RunResources,
  path: DocumentPath,
): Gate | undefined =>
  pluginSections.find((section) => section.bound.gate !== undefined && isAt(section, path))?.bound
    .gate

const isAt = (section: { readonly path: DocumentPath }, path: DocumentPath): boolean =>
  section.path.join("/") === path.join("/")

export const compileSections = (
  { pluginSections = [] }: RunResources,
  path: DocumentPath,
): ReadonlyArray<PipelineSection> =>
  pluginSections.flatMap(({ bound, key, path: at, variables: schemas }) => {
    const { variables, variants } = bound
    if (variants === undefined && (variables === undefined || schemas === undefined)) return []
    if (!isAt({ path: at }, path)) return []
    return [
      {
        key,
        variables,
        variants,
        validate: validatorOf({
          type: "object",
          properties: Object.fromEntries(
            Object.entries(schemas ?? {}).map(([name, schema]) => [
              name,
              nestedSchema(schema, `/properties/${name}`),
            ]),
          ),
          required: Object.keys(schemas ?? {}),
          additionalProperties: schemas === undefined,
        }),
      },
    ]
  })
