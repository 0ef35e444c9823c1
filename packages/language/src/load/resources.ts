/** What a workflow's `use:` and `prompts:` name, read and decoded. */
import { access } from "node:fs/promises"
import { basename, dirname, extname, join } from "node:path"
import type { JsonObject, PlanTemplate, Tool } from "@planloom/plugin"
import { decodeCatalog, decodeExamples, decodePlanTemplate } from "../definition/decode.ts"
import type { Definition, DocumentPath, Stage } from "../definition/Definition.ts"
import type { ExamplesFile } from "../definition/Examples.ts"
import type { PromptFile } from "../definition/Resources.ts"
import type { Document } from "../source/Document.ts"
import { mergeVocabularies } from "./mergeVocabularies.ts"
import { beside, type Reading } from "./Reading.ts"

export interface ReadCatalogs {
  /** In the order their files are named; a tool's TOOL.md is found beside its catalog. */
  readonly tools: ReadonlyArray<Tool>
  /** Of all catalogs, merged in that order. */
  readonly vocabulary: JsonObject | undefined
}

/** What the catalogs say of tools, and the words they bring. */
export const readCatalogs = async (
  definition: Definition,
  document: Document,
  reading: Reading,
): Promise<ReadCatalogs> => {
  const tools: Array<Tool> = []
  const vocabularies: Array<JsonObject> = []
  for (const [index, name] of definition.use.catalogs.entries()) {
    const file = await reading.named(document, ["use", "catalogs", index], name)
    const catalog = file && reading.parsed(file)
    const decoded = catalog && reading.decoded(decodeCatalog(catalog))
    if (decoded?.vocabulary !== undefined) vocabularies.push(decoded.vocabulary)
    for (const tool of decoded?.tools ?? []) {
      tools.push(await withDocs(tool, beside(document.file.path, name)))
    }
  }
  return { tools, vocabulary: mergeVocabularies(vocabularies) }
}

/** `catalog/data.yaml` keeps the documentation of its tool `describe` in `catalog/data/describe/TOOL.md`. */
const withDocs = async (tool: Tool, catalog: string): Promise<Tool> => {
  if (tool.docs !== undefined) return { ...tool, docs: beside(catalog, tool.docs) }
  const docs = join(dirname(catalog), basename(catalog, extname(catalog)), tool.name, "TOOL.md")
  return access(docs).then(
    () => ({ ...tool, docs }),
    () => tool,
  )
}

export const readTemplates = async (
  definition: Definition,
  document: Document,
  reading: Reading,
): Promise<ReadonlyArray<PlanTemplate>> => {
  const templates: Array<PlanTemplate> = []
  for (const [index, name] of definition.use.templates.entries()) {
    const file = await reading.named(document, ["use", "templates", index], name)
    const parsed = file && reading.parsed(file)
    const template = parsed && reading.decoded(decodePlanTemplate(parsed))
    if (template !== undefined) templates.push(template)
  }
  return templates
}

export const readPrompts = async (
  definition: Definition,
  document: Document,
  reading: Reading,
): Promise<ReadonlyMap<string, PromptFile>> => {
  const prompts = new Map<string, PromptFile>()
  for (const [name, path] of Object.entries(definition.prompts)) {
    const file = await reading.named(document, ["prompts", name], path)
    if (file !== undefined) prompts.set(name, { name, path: file.path, text: file.text })
  }
  return prompts
}

export const readExamples = async (
  definition: Definition,
  document: Document,
  reading: Reading,
): Promise<ReadonlyMap<string, ExamplesFile>> => {
  const read = new Map<string, ExamplesFile>()
  const within = async (stages: ReadonlyArray<Stage>, path: DocumentPath): Promise<void> => {
    for (const [index, { examples, stages: inner }] of stages.entries()) {
      const at = [...path, index]
      if (examples !== undefined && !read.has(examples.file)) {
        const file = await reading.named(document, [...at, "examples", "file"], examples.file)
        const parsed = file && reading.parsed(file)
        const decoded = parsed && decodeExamples(parsed)
        const found = decoded && reading.decoded(decoded)
        // What stands in for something wrong is not to be held against the workflow.
        if (parsed !== undefined && found !== undefined && decoded?.diagnostics.length === 0) {
          read.set(examples.file, { document: parsed, examples: found })
        }
      }
      await within(inner ?? [], [...at, "stages"])
    }
  }
  await within(definition.stages, ["stages"])
  await within(definition.finally, ["finally"])
  return read
}
