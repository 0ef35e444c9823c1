/** The text of the skill: the guide, then every key, component and function of this version, from the schemas that `check` uses. */
import { functionGroups } from "@planloom/expression/check"
import { ownKinds, schemaOf, switchKind } from "@planloom/language"
import { schemaKeys } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { fileKinds } from "../project/fileKinds.ts"
import { version } from "../version.ts"
import { skillGuide } from "./skillGuide.ts"

interface Described {
  readonly id: string
  readonly summary: string
  readonly input?: JsonSchema
}

export const skillText = async (): Promise<string> => {
  const plugins = await Promise.all(
    Object.entries(bundledPlugins).map(async ([name, load]) => ({ name, plugin: await load() })),
  )
  const all = plugins.map(({ plugin }) => plugin.components ?? {})
  const stages = plugins.flatMap(({ name, plugin }) =>
    (plugin.components?.stages ?? []).map((kind) => ({ ...kind, plugin: name })),
  )
  const files = await Promise.all(
    fileKinds.map(async ({ kind, load }) => ({ kind, schema: (await load()).schema })),
  )
  const kinds = new Map<string, JsonSchema>([
    ...ownKinds.map((kind) => [kind, schemaOf(kind)] as const),
    ...files.map(({ kind, schema }) => [kind, schema] as const),
    ...all.flatMap(({ fileKinds: brought = [] }) =>
      brought.map(({ kind, schema }) => [kind, schema] as const),
    ),
  ])
  // Most sections have the same keys wherever they stand.
  const sections = Map.groupBy(
    all.flatMap((components) => components.sections ?? []),
    ({ key, schema }) => [key, ...keyLines(schema, key)].join("\n"),
  )
  return [
    skillGuide(version()),
    "# Keys",
    "",
    "`*` is a name of yours. Entries of a list have the keys of the list. `stage` below are the keys of every entry of `stages`; those of its `with` are under its kind.",
    "",
    ...[...kinds].flatMap(([kind, schema]) => [
      `## Keys of a file of the kind \`${kind}\``,
      "",
      ...keyLines(schema, kind),
    ]),
    ...[...sections.values()].flatMap((same) => [
      `## Keys of \`${same[0]!.key}\` of a ${same.map(({ on }) => on).join(" and of a ")}`,
      "",
      same[0]!.summary,
      "",
      ...keyLines(same[0]!.schema, same[0]!.key),
    ]),
    "# Stage kinds",
    "",
    ...[{ ...switchKind, plugin: "" }, ...stages].flatMap(({ id, input, plugin, summary }) => [
      `## \`uses: ${id}\`${plugin === "" ? "" : ` of ${plugin}`}`,
      "",
      summary,
      "",
      ...keyLines(input, id),
    ]),
    ...componentLines("Hooks", "Under `hooks`", plugins, "hooks"),
    ...componentLines("Subagents", "Under `shadow`", plugins, "subagents"),
    ...componentLines("Validators", "Under `shadow`", plugins, "validators"),
    "# Functions",
    "",
    ...functionGroups.flatMap(({ functions }) =>
      functions.map(({ signature, summary }) => `- \`${signature}\`: ${summary}`),
    ),
    "",
  ].join("\n")
}

/** A line for each key of a schema, by its path. */
const keyLines = (schema: JsonSchema, name: string): ReadonlyArray<string> => {
  let owner = name
  const lines = [...schemaKeys(schema, name)].flatMap(([path, { description, schema: one }]) => {
    const own = path.slice(0, path.indexOf("."))
    const heading = own === owner ? [] : ["", `Keys of \`${own}\`:`, ""]
    owner = own
    const type = typeText(one)
    const meaning = [type, description].filter((text) => text !== "").join(". ")
    return [
      ...heading,
      `- \`${path.slice(own.length + 1)}\`${meaning === "" ? "" : `: ${meaning}`}`,
    ]
  })
  return [...lines, ""]
}

/** The values of an enumeration, or the type where it is one. */
const typeText = (schema: Json): string => {
  if (typeof schema !== "object" || schema === null) return ""
  const {
    const: only,
    enum: values,
    type,
  } = schema as {
    readonly const?: Json
    readonly enum?: ReadonlyArray<Json>
    readonly type?: string
  }
  if (values !== undefined) return values.map(String).join(" | ")
  if (only !== undefined) return String(only)
  return typeof type === "string" && type !== "object" ? type : ""
}

const componentLines = (
  title: string,
  place: string,
  plugins: ReadonlyArray<{
    readonly name: string
    readonly plugin: { readonly components?: object }
  }>,
  kind: string,
): ReadonlyArray<string> => [
  `# ${title}`,
  "",
  `${place}; the keys are those of its \`with\`.`,
  "",
  ...plugins.flatMap(({ name, plugin }) =>
    (
      ((plugin.components ?? {}) as { readonly [kind: string]: ReadonlyArray<Described> })[kind] ??
      []
    ).flatMap(({ id, input, summary }) => [
      `## \`${id}\` of ${name}`,
      "",
      summary,
      "",
      ...(input === undefined ? [] : keyLines(input, id)),
    ]),
  ),
]
