/** Prompts of a workflow, bound: the sections of each mode, compiled once and shared by all stages. */
import { compileValue, usedBy, type CompiledValue } from "@planloom/expression"
import type { PromptSection, PromptTable, PromptVariant, StagePrompt } from "./StagePrompt.ts"

/** A mode of a workflow. */
export interface Mode {
  readonly sections: ReadonlyArray<string>
  readonly tools:
    | PromptVariant["tools"]
    | {
        readonly offer: PromptVariant["tools"]
        readonly load: "full" | "lazy"
        readonly hot: ReadonlyArray<string>
        readonly max_tokens: number | undefined
      }
  readonly max_tokens: number | undefined
  readonly truncate: ReadonlyArray<string>
}

export const compilePrompts = (
  /** Among them `full`. */
  declared: { readonly [mode: string]: Mode },
  files: ReadonlyMap<string, { readonly path: string; readonly text: string }>,
): PromptTable => {
  const sections = new Map<string, PromptSection>()
  const section = (name: string): PromptSection | undefined => {
    const known = sections.get(name)
    const file = files.get(name)
    if (known !== undefined) return known
    if (file === undefined && name !== TOOLS) return undefined
    const { path: source, text: template } = file ?? shippedTools
    const text = compileValue(template)
    const made: PromptSection = text.constant
      ? { id: name, source, text: template.trim() }
      : {
          id: name,
          source,
          text,
          ...toolsIn(text),
          ...documentsIn(text),
        }
    sections.set(name, made)
    return made
  }
  const variant = (use: string, mode: Mode | undefined): PromptVariant => ({
    sections: sectionNames(use, mode).map((id) => ({ ...section(id === TASK ? use : id)!, id })),
    maxTokens: mode?.max_tokens,
    truncate: mode?.truncate ?? [],
    ...toolsOf(mode?.tools ?? "all"),
  })
  const prompts = new Map<string, StagePrompt>()
  const named = (name: string): StagePrompt => {
    let made = prompts.get(name)
    if (made === undefined) {
      const modes = Object.entries(declared)
      made = {
        name,
        mode: undefined,
        modeSource: undefined,
        alone: variant(name, undefined),
        modes: new Map(modes.map(([id, mode]) => [id, variant(name, mode)])),
      }
      prompts.set(name, made)
    }
    return made
  }
  return {
    of: ({ mode, use }) =>
      mode === undefined
        ? named(use)
        : { ...named(use), mode: compileValue(mode), modeSource: mode },
    named: (name) => (files.has(name) ? named(name) : undefined),
    section,
    withTexts: (texts) => {
      const replaced = new Map(files)
      for (const [name, { text, version }] of texts) {
        const file = replaced.get(name)
        if (file !== undefined) replaced.set(name, { ...file, path: `version ${version}`, text })
      }
      const table = compilePrompts(declared, replaced)
      for (const name of texts.keys()) table.section(name)
      return table
    },
  }
}

/** The section that names the tools of the workflow, unless it has a prompt of this name; and the variable of prompts. */
const TOOLS = "tools"

const toolsIn = ({ references }: CompiledValue): Pick<PromptSection, "tools"> => {
  const isTools = references.map(([root]) => root === TOOLS)
  if (!isTools.includes(true)) return {}
  return { tools: isTools.includes(false) ? "beside" : "alone" }
}

const documentsIn = ({ references }: CompiledValue): Pick<PromptSection, "documents"> => {
  const documents = usedBy(references, "documents")
  return documents === "all" || documents.size > 0 ? { documents } : {}
}

const shippedTools = { path: TOOLS, text: "Tools:\n${{ tools.cards() }}" }

/** The section of a mode that is the stage's own prompt. */
const TASK = "task"

const toolsOf = (tools: Mode["tools"]): Pick<PromptVariant, "hot" | "maxToolTokens" | "tools"> => {
  if (typeof tools === "string" || !("offer" in tools)) {
    return { tools, hot: undefined, maxToolTokens: undefined }
  }
  const { hot, load, max_tokens: maxToolTokens, offer } = tools
  const isHot = load === "lazy" || maxToolTokens !== undefined
  return { tools: offer, hot: isHot ? hot : undefined, maxToolTokens }
}

/** A mode that also has the stage's own prompt under its name has it once. */
const sectionNames = (use: string, mode: Mode | undefined): ReadonlyArray<string> => {
  if (mode === undefined) return [TASK]
  const { sections } = mode
  return sections.includes(use) ? sections.filter((id) => id !== TASK) : sections
}
