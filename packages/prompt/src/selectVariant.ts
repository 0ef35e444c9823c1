/** The mode of a prompt for one call → its sections, tools and length. */
import type { PromptVariant, StagePrompt } from "./StagePrompt.ts"

export interface SelectedVariant extends PromptVariant {
  /** The mode in use; empty for the prompt alone. */
  readonly mode: string
}

/** An undeclared mode falls back to `full`, else to the first declared mode, else to the prompt alone. */
export const selectVariant = (
  { alone, modes }: StagePrompt,
  wanted: string | undefined,
): SelectedVariant => {
  if (wanted === undefined) return { ...alone, mode: "" }
  const mode = modes.has(wanted) ? wanted : modes.has("full") ? "full" : modes.keys().next().value
  return mode === undefined ? { ...alone, mode: "" } : { ...modes.get(mode)!, mode }
}
