/** The worst case of a run: calls, tokens and cost, by stage. */
import type { KindWork, Node } from "@planloom/core/internal"
import type { NearWindow } from "./nearWindow.ts"
import type { PromptEstimate } from "./promptEstimate.ts"
import type { WithEstimate } from "./withEstimate.ts"
import type { Work } from "./Work.ts"

/** Purposes of work. */
export const purposes = [
  "questions",
  "continuations",
  "repairs",
  "reviews",
  "tools",
  "searches",
  "workflows",
  "fallback",
] as const

export type Purpose = (typeof purposes)[number]

/** Work by what it is for; what is absent does not happen. */
export type Parts = { readonly [P in Purpose]?: Work }

export interface StageEstimate {
  /** `work/results`. */
  readonly path: string
  readonly depth: number
  readonly node: Node
  /** Ids it waits for when the block is a graph. */
  readonly needs: ReadonlyArray<string> | undefined
  readonly work: KindWork | undefined
  /** In order; empty if the stage kind calls no model. */
  readonly models: ReadonlyArray<string>
  readonly mechanical: boolean
  readonly prompt: PromptEstimate | undefined
  readonly examples: ExamplesEstimate | undefined
  /** Settings of the workflow that are not sent to a model, by `provider/model`. */
  readonly leftOut: { readonly [model: string]: ReadonlyArray<string> }
  /** Tokens that `with:` can add to the prompt; undefined if the stage kind calls no model. */
  readonly with: WithEstimate | undefined
  /** Models whose window the first request nearly fills. */
  readonly near: ReadonlyArray<NearWindow>
  /** Maximum number of occurrences, with reruns and loops, without retries. */
  readonly occurrences: number
  /** Maximum number of attempts per occurrence. */
  readonly attempts: number
  /** Over all occurrences and attempts. */
  readonly total: Work
  readonly parts: Parts
  /** Short descriptions of what the figures exclude. */
  readonly unknown: ReadonlyArray<string>
  /** A list whose length is unknown before the run; the lower limits are per item. */
  readonly openList: string | undefined
}

/** The examples in a stage's prompt. */
export interface ExamplesEstimate {
  readonly file: string
  /** Number of examples; fewer are shown if not all fit. */
  readonly count: number
  /** Maximum. */
  readonly tokens: number
  /** Whether the model's own tokenizer counted the tokens. */
  readonly exact: boolean
}

export interface Estimate {
  readonly stages: ReadonlyArray<StageEstimate>
  readonly finally: ReadonlyArray<StageEstimate>
  /** The stage that summarizes the older turns of a session with a model. */
  readonly session: ReadonlyArray<StageEstimate>
  readonly worst: {
    readonly total: Work
    readonly parts: Parts
    /** What the figures of all stages exclude. */
    readonly unknown: ReadonlyArray<string>
    /** Lists of unknown length that the lower limits count once. */
    readonly openLists: ReadonlyArray<string>
  }
}
