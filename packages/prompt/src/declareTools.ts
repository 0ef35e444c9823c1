/** Tools offered to a model → their declarations in the request, and lines in the prompt. */
import type { ModelRequest, Section, Tool, ToolOffer } from "@planloom/plugin/effect"

/** Tools of a run by name. */
export type KnownTools = ReadonlyMap<string, { readonly tool: Tool }>

type Declared = NonNullable<ModelRequest["tools"]>[number]

/** Made once per tool: providers keep what they make of a declaration by its identity. */
const declarations = new WeakMap<Tool, Declared>()

/** Tools of form `schema`, and one more; undefined if there are none, because services reject an empty list. */
export const declareTools = (
  offers: ReadonlyArray<ToolOffer>,
  registry: KnownTools,
  more?: Declared,
): ModelRequest["tools"] => {
  const declared: Array<Declared> = []
  for (const { form, tool: name } of offers) {
    const tool = registry.get(name)?.tool
    if (form === "index" || tool === undefined) continue
    let made = declarations.get(tool)
    if (made === undefined) {
      made = { name, description: tool.summary, parameters: tool.params }
      declarations.set(tool, made)
    }
    declared.push(made)
  }
  if (more !== undefined) declared.push(more)
  return declared.length === 0 ? undefined : declared
}

/** One line for each tool of form `index`: name, parameters, summary. */
export const indexSection = (
  offers: ReadonlyArray<ToolOffer>,
  registry: KnownTools,
): Omit<Section, "tokens"> | undefined => {
  const lines = offers.flatMap(({ form, tool }) => {
    const known = registry.get(tool)?.tool
    return form === "schema" || known === undefined ? [] : [indexLine(known)]
  })
  return lines.length === 0
    ? undefined
    : { id: "tools", text: `Tools:\n${lines.join("\n")}`, source: "tools", stable: false }
}

const indexLine = ({ name, params, summary }: Tool): string => {
  const properties = typeof params === "object" ? params["properties"] : undefined
  return `- ${name}(${Object.keys(properties ?? {}).join(", ")}): ${summary}`
}
