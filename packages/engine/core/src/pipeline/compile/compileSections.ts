/** Sections at one place of a workflow → what gives expressions their values. */
import * as Effect from "effect/Effect"
import type { Gate, JsonSchema } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { nestedSchema } from "@planloom/schema"
import type { DocumentPath, RunResources } from "@planloom/language"
import type { PipelineSection } from "../Pipeline.ts"

type PluginSection = NonNullable<RunResources["pluginSections"]>[number]

/** `check` has seen that there is one at most. */
export const gateAt = (
  { pluginSections = [] }: RunResources,
  path: DocumentPath,
): Gate | undefined =>
  pluginSections.find((section) => section.bound.gate !== undefined && isAt(section, path))?.bound
    .gate

const isAt = (section: { readonly path: DocumentPath }, path: DocumentPath): boolean =>
  section.path.join("/") === path.join("/")

/** One for each key: a key of the workflow may also stand in files that it uses. */
export const compileSections = (
  { pluginSections = [] }: RunResources,
  path: DocumentPath,
): ReadonlyArray<PipelineSection> => {
  const giving = pluginSections.filter(
    (section) =>
      isAt(section, path) &&
      (section.bound.variants !== undefined ||
        (section.bound.variables !== undefined && section.variables !== undefined)),
  )
  return [...new Set(giving.map(({ key }) => key))].map((key) =>
    joined(
      key,
      giving.filter((section) => section.key === key),
    ),
  )
}

const joined = (key: string, sections: ReadonlyArray<PluginSection>): PipelineSection => {
  const schemas = sections.every(({ variables }) => variables === undefined)
    ? undefined
    : (Object.assign({}, ...sections.map(({ variables }) => variables ?? {})) as {
        readonly [name: string]: JsonSchema
      })
  return {
    key,
    variables: together(sections.flatMap(({ bound }) => bound.variables ?? [])),
    variants: together(sections.flatMap(({ bound }) => bound.variants ?? [])),
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
  }
}

/** All values of functions that give different names. */
const together = <Context, A extends object, E>(
  functions: ReadonlyArray<(context: Context) => Effect.Effect<A, E>>,
): ((context: Context) => Effect.Effect<A, E>) | undefined =>
  functions.length < 2
    ? functions[0]
    : (context) =>
        Effect.map(
          Effect.forEach(functions, (one) => one(context)),
          (values) => Object.assign({}, ...values) as A,
        )
