/** The JSON Schema (draft-07) of a kind of file, for editors. */
import type { ContributedSection, Contributes, JsonSchema } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import { toJsonSchema } from "./Shape.ts"
import { ownShapes, type OwnKind } from "./ownShapes.ts"
import { SWITCH, switchKind } from "./shape/switch.ts"

type Members = { readonly [name: string]: object }

/** With `stageKinds`, `uses` is one of their ids, and `with` has the keys of each kind; with `sections`, to their keys. */
export const schemaOf = (
  kind: OwnKind,
  stageKinds: ReadonlyArray<{
    readonly id: string
    readonly summary: string
    readonly input: JsonSchema
  }> = [],
  sections: Contributes["sections"] = {},
): JsonSchema => {
  const own = toJsonSchema(ownShapes[kind], `Planloom ${kind}`) as Members
  if (kind === "Project") return withSections(own, sections.project, "")
  if (kind !== "Workflow") return own
  const schema = withSections(own, sections.workflow, "")
  const definitions = schema["definitions"] as Members
  const stage = withSections(definitions["stage"] as Members, sections.stage, "/definitions/stage")
  const { fallback, ...others } = stage["properties"] as { readonly fallback: Members }
  const whole = withKinds(
    {
      ...stage,
      properties: {
        ...others,
        // A fallback is one call, and a switch holds stages.
        fallback: withKinds(
          fallback,
          stageKinds.filter(({ id }) => id !== SWITCH),
        ),
      },
      anyOf: [{ required: ["uses"] }, { required: ["stages"] }],
    },
    stageKinds,
  )
  const required = (stage["required"] as ReadonlyArray<string>).filter((key) => key !== "id")
  return {
    ...schema,
    definitions: { ...definitions, stage: whole, [CASE]: { ...whole, required } },
  }
}

/** The definition of a stage in a case of a switch, which names it. */
const CASE = "case"

/** The input of a switch, with the stages that its cases hold. */
const switchInput: JsonSchema = (() => {
  const input = switchKind.input as { readonly properties: { readonly cases: object } }
  const stage = { $ref: `#/definitions/${CASE}` }
  const cases = { ...input.properties.cases, additionalProperties: stage }
  return { ...input, properties: { ...input.properties, cases, else: stage } }
})()

/** A stage whose `uses` is one of the kinds, and whose `with` is what that takes. */
const withKinds = (stage: Members, kinds: NonNullable<Parameters<typeof schemaOf>[1]>): Members =>
  kinds.length === 0
    ? stage
    : {
        ...stage,
        allOf: [
          { properties: { uses: { enum: kinds.map(({ id }) => id) } } },
          ...kinds.map((kind) =>
            withOf(kind.id === SWITCH ? { ...kind, input: switchInput } : kind),
          ),
        ],
      }

/** The schema of a mapping, at a JSON Pointer of the whole, with the keys that plugins give meaning. */
const withSections = (
  schema: Members,
  sections: { readonly [key: string]: ContributedSection } = {},
  at: string,
): Members => ({
  ...schema,
  properties: {
    ...(schema["properties"] as Members),
    ...Object.fromEntries(
      Object.entries(sections).map(([key, { schema: given, summary }]) => [
        key,
        // Draft-07 ignores what stands beside a $ref.
        { description: summary, allOf: [nestedSchema(given, `${at}/properties/${key}/allOf/0`)] },
      ]),
    ),
  },
})

/** Inside a stage of this kind, `with` holds what the kind takes; each value may be an expression. */
const withOf = ({ id, input, summary }: { id: string; summary: string; input: JsonSchema }) => {
  const { properties = {}, required = [] } = (typeof input === "object" ? input : {}) as {
    readonly properties?: { readonly [key: string]: JsonSchema }
    readonly required?: ReadonlyArray<string>
  }
  const needed = required.filter((key) => !hasDefault(properties[key]))
  return {
    if: { properties: { uses: { const: id } }, required: ["uses"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: {
      ...(needed.length === 0 ? {} : { required: ["with"] }),
      properties: {
        uses: { description: summary },
        with: {
          properties: Object.fromEntries(
            // A switch holds stages, which expressions cannot give.
            Object.entries(properties).map(([key, schema]) => [
              key,
              id === SWITCH ? schema : orExpression(schema),
            ]),
          ),
          required: needed,
          additionalProperties: false,
        },
      },
    },
  }
}

/** The schema, or any text with an expression, whose value is known in the run. */
const orExpression = (schema: JsonSchema): JsonSchema => ({
  anyOf: [{ type: "string", pattern: "\\$\\{\\{" }, withExpressions(schema)],
})

/** The schema of a value in which any part may be an expression. */
const withExpressions = (schema: JsonSchema): JsonSchema => {
  if (typeof schema !== "object") return schema
  const { additionalProperties, allOf, anyOf, items, oneOf, properties, ...rest } =
    schema as Members & { readonly [keyword: string]: JsonSchema }
  const each = (list: object | undefined) =>
    (list as unknown as ReadonlyArray<JsonSchema> | undefined)?.map(withExpressions)
  const parts = {
    additionalProperties:
      typeof additionalProperties === "object"
        ? orExpression(additionalProperties)
        : additionalProperties,
    allOf: each(allOf),
    anyOf: each(anyOf),
    oneOf: each(oneOf),
    items: typeof items === "object" && !Array.isArray(items) ? orExpression(items) : items,
    properties:
      properties &&
      Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, orExpression(one as JsonSchema)]),
      ),
  }
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
  } as JsonSchema
}

const hasDefault = (schema: JsonSchema | undefined): boolean =>
  typeof schema === "object" && "default" in schema
