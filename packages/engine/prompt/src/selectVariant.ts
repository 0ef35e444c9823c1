/** The mode of a prompt for one call → its sections, tools and length. */
import type { PromptVariant, StagePrompt } from "./StagePrompt.ts"

export interface SelectedVariant extends PromptVariant {
  /** The mode in use; empty for the prompt alone. */
  readonly mode: string
}

const FULL = "full"

/** A mode that the workflow does not have falls back to `full`, which every workflow has. */
export const selectVariant = (
  { alone, modes }: StagePrompt,
  wanted: string | undefined,
): SelectedVariant => {
  if (wanted === undefined) return { ...alone, mode: "" }
  const mode = modes.has(wanted) ? wanted : FULL
  return { ...modes.get(mode)!, mode }
}
