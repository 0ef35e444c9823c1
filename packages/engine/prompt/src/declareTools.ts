/** Tools offered to a model → their declarations in the request. */
import { modelParams, type ModelRequest, type Tool, type ToolOffer } from "@planloom/plugin/effect"

/** Tools of a run by name. */
export type KnownTools = ReadonlyMap<string, { readonly tool: Tool }>

type Declared = NonNullable<ModelRequest["tools"]>[number]

/** Made once per tool: providers keep what they make of a declaration by its identity. */
const declarations = new WeakMap<Tool, Declared>()

/** Tools of form `schema`, and more; undefined without any, because services reject an empty list. */
export const declareTools = (
  offers: ReadonlyArray<ToolOffer>,
  registry: KnownTools,
  more: ReadonlyArray<Declared> = [],
): ModelRequest["tools"] => {
  const declared: Array<Declared> = []
  for (const { form, own, tool: name } of offers) {
    if (own !== undefined) {
      declared.push({ name, description: own.summary, parameters: own.params })
      continue
    }
    const tool = registry.get(name)?.tool
    if (form === "index" || tool === undefined) continue
    let made = declarations.get(tool)
    if (made === undefined) {
      made = { name, description: tool.summary, parameters: modelParams(tool) }
      declarations.set(tool, made)
    }
    declared.push(made)
  }
  declared.push(...more)
  return declared.length === 0 ? undefined : declared
}
