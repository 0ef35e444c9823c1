/** Prompts of a workflow as stages use them: modes, and the sections of each. */
import type { CompiledValue } from "@planloom/expression"
import type { PromptText } from "@planloom/plugin/effect"

/** The system prompt of a stage: its mode, and the sections of each mode. */
export interface StagePrompt {
  readonly name: string
  /** Undefined for the prompt alone. */
  readonly mode: CompiledValue | undefined
  /** The mode as written. */
  readonly modeSource: string | undefined
  readonly alone: PromptVariant
  /** By mode; `full` is one of them. */
  readonly modes: ReadonlyMap<string, PromptVariant>
}

/** A section of a prompt: a text, or an expression that is evaluated for each call. */
export interface PromptSection {
  readonly id: string
  /** Path of its file. */
  readonly source: string
  readonly text: string | CompiledValue
  /** Its text names the tools of the workflow, alone or beside what changes from call to call. */
  readonly tools?: "alone" | "beside"
  /** Names of the documents that its text reads; `all` if an expression selects them. */
  readonly documents?: ReadonlySet<string> | "all"
}

/** A prompt in one mode. */
export interface PromptVariant {
  /** In order. */
  readonly sections: ReadonlyArray<PromptSection>
  readonly maxTokens: number | undefined
  /** Sections that are shortened or dropped until the prompt has at most `maxTokens`, first one first. */
  readonly truncate: ReadonlyArray<string>
  /** Tools that it lets through: by kind, or by names of tools and groups. */
  readonly tools: "all" | "none" | "navigation" | "task" | ReadonlyArray<string>
  /** Tools and groups that a lazy mode declares in full; undefined for a mode that is not lazy. */
  readonly hot: ReadonlyArray<string> | undefined
  /** Declared tools that take more tokens are one line each, except hot ones. */
  readonly maxToolTokens: number | undefined
}

/** The prompts of one workflow. Each function gives undefined for an undeclared name. */
export interface PromptTable {
  readonly of: (use: { readonly use: string; readonly mode: string | undefined }) => StagePrompt
  /** A prompt that a stage kind names, in no mode of its own. */
  readonly named: (name: string) => StagePrompt | undefined
  /** A section by its name. */
  readonly section: (name: string) => PromptSection | undefined
  /** With other texts, by name. Throws `ExpressionFailed` for a text that does not compile. */
  readonly withTexts: (texts: ReadonlyMap<string, PromptText>) => PromptTable
}
