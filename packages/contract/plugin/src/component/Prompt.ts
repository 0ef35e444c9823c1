/** Parts of a prompt as data: sections of the system prompt, and the tools offered to a model. */
import type { JsonSchema } from "../value/Json.ts"

/** A named part of the system prompt. */
export interface Section {
  /** Unique within a prompt. */
  readonly id: string
  readonly text: string
  /** What contributed it: the file of a prompt, or `kind:generate` for a section of a stage kind. */
  readonly source: string
  /** The same text in every run, so that a provider may cache it. */
  readonly stable: boolean
  /** Length as the stage's first model counts it; an estimate if its tokenizer is unknown. */
  readonly tokens: number
}

/** A tool as a model sees it. */
export interface ToolOffer {
  /** Name of a tool of the workflow. */
  readonly tool: string
  /** `schema`: declared with its parameters. `index`: one line in the prompt only. */
  readonly form: "schema" | "index"
  /** A call of it ends the agent's turn and hands over instead of running the tool. */
  readonly ends?: true
  /** For an offer that `ends`: a tool of the stage kind, which the workflow does not have. */
  readonly own?: { readonly summary: string; readonly params: JsonSchema }
}
