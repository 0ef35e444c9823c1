/** The stage that a reply is for. */
import type { RunEvent, Untimed } from "@planloom/plugin/effect"

export interface ReplySite {
  readonly path: string
  readonly stage: string
  readonly emit: (event: Untimed<RunEvent>) => void
  /** A gate reads what leaves the stage, and no gate has read its reasoning. */
  readonly hidesReasoning?: boolean
}

/** Emits the reasoning of a reply, which is part of no output. Not where a gate reads the stage's replies. */
export const emitReasoning = (site: ReplySite, model: string, reasoning: string): void => {
  if (reasoning === "" || site.hidesReasoning === true) return
  const { path, stage } = site
  site.emit({ type: "Reasoned", path, stage, model, text: reasoning })
}
