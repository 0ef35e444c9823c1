/** The stage that a reply is for. */
import type { RunEvent, Untimed } from "@planloom/plugin/effect"

export interface ReplySite {
  readonly path: string
  readonly stage: string
  readonly emit: (event: Untimed<RunEvent>) => void
}

/** Emits the reasoning of a reply, which is part of no output. */
export const emitReasoning = (site: ReplySite, model: string, reasoning: string): void => {
  if (reasoning === "") return
  const { path, stage } = site
  site.emit({ type: "Reasoned", path, stage, model, text: reasoning })
}
