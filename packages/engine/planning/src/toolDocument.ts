/** The document by which a tool is found: what a search of tools reads of it. */
import type { IndexDocument, Tool } from "@planloom/plugin/effect"
import { isObject } from "./Json.ts"
import { propertiesOf } from "./Tool.ts"

/** Levels of a schema of parameters whose texts are read. */
const MAX_DEPTH = 4

/** One per tool: an index recognizes documents that it has. */
const documents = new WeakMap<Tool, IndexDocument>()

/** Stages, the command line and the measurements search the same document. */
export const toolDocument = (tool: Tool): IndexDocument => {
  const known = documents.get(tool) ?? documentOf(tool)
  documents.set(tool, known)
  return known
}

const documentOf = (tool: Tool): IndexDocument => {
  const { capabilities, examples, group, keywords = [], summary, synonyms, words = {} } = tool
  const meanings = Object.values(words).flatMap((values) => Object.values(values).flat())
  const fields = {
    name: tool.name,
    summary,
    group: group ?? "",
    keywords: [...capabilities, ...keywords, ...meanings].join(" "),
    params: propertiesOf(tool)
      .map(([name]) => name)
      .join(" "),
    param_texts: textsOf(tool.params, MAX_DEPTH).join(" "),
    group_summary: tool.group_summary ?? "",
    when_to_use: tool.when_to_use ?? "",
  }
  return {
    id: tool.name,
    fields: Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== "")),
    ...(examples === undefined ? {} : { examples }),
    ...(synonyms === undefined ? {} : { synonyms }),
  }
}

/** Descriptions and values of the properties of a schema, and the names of those inside them. */
const textsOf = (schema: unknown, depth: number): ReadonlyArray<string> => {
  if (!isObject(schema) || depth === 0) return []
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return [
    ...own.flatMap(([name, property]) => {
      if (!isObject(property)) return []
      const { description, enum: values } = property
      return [
        ...(depth < MAX_DEPTH ? [name] : []),
        ...(typeof description === "string" ? [description] : []),
        ...(Array.isArray(values) ? values.filter((value) => typeof value === "string") : []),
        ...textsOf(property, depth - 1),
      ]
    }),
    ...textsOf(schema.items, depth - 1),
  ]
}
