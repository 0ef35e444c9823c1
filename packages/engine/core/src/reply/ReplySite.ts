/** The stage that a reply is for, and what is reported of its reasoning. */
import type { RunEvent, Untimed } from "@planloom/plugin/effect"

export interface ReplySite {
  readonly path: string
  readonly stage: string
  readonly emit: (event: Untimed<RunEvent>) => void
  /** A gate reads what leaves the stage, and no gate has read its reasoning. */
  readonly hidesReasoning?: boolean
}

/** Emits the reasoning of a reply, which is part of no output; its length alone where a gate reads the stage's replies. */
export const emitReasoning = (site: ReplySite, model: string, reasoning: string): void => {
  if (reasoning === "") return
  const { hidesReasoning, path, stage } = site
  const reasoned = { type: "Reasoned", path, stage, model, words: wordsIn(reasoning) } as const
  site.emit(hidesReasoning === true ? reasoned : { ...reasoned, text: reasoning })
}

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** Notes that a reply has no reasoning although its prompt asks for some. */
export const noteMissingReasoning = (site: ReplySite, model: string): void => {
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "missing_reasoning",
    data: { model },
    audience: "operator",
    text: `${model} gave no reasoning, which its prompt asks for`,
  })
}

const tag = /<(?:reasoning|think|thinking)>/i

/** Whether the text asks for reasoning in tags. */
export const asksForReasoning = (text: string): boolean => text.includes("<") && tag.test(text)
