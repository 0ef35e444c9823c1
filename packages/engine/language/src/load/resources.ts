/** Prompts and examples that a workflow names, read and decoded. */
import { decodeExamples } from "../definition/decode.ts"
import type { Definition } from "../definition/Definition.ts"
import type { ExamplesFile } from "../definition/Examples.ts"
import { stageTree } from "../definition/scope/StageTree.ts"
import type { PromptFile } from "../definition/Resources.ts"
import type { Document } from "../source/Document.ts"
import type { Reading } from "./Reading.ts"

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
  for (const { path, stage } of stageTree(definition).all) {
    const { examples } = stage
    if (examples === undefined || read.has(examples.file)) continue
    const file = await reading.named(document, [...path, "examples", "file"], examples.file)
    const parsed = file && reading.parsed(file)
    const decoded = parsed && decodeExamples(parsed)
    const found = decoded && reading.decoded(decoded)
    // A harmless value that replaced a wrong one must not be checked against the workflow.
    if (parsed !== undefined && found !== undefined && decoded?.diagnostics.length === 0) {
      read.set(examples.file, { document: parsed, examples: found })
    }
  }
  return read
}
