/** The maximum calls, tokens and cost of a run, by stage. */
import type { KindWork, Node } from "@planloom/core/internal"
import type { PromptEstimate } from "./promptEstimate.ts"
import type { WithEstimate } from "./withEstimate.ts"

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
  /** Maximum number of occurrences, with reruns and loops, without retries. */
  readonly occurrences: number
  /** Maximum number of attempts per occurrence. */
  readonly attempts: number
  /** Over all occurrences and attempts, each of which calls every model of the alias once. */
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
  /** Additional calls if every reply must be data and needs repair; undefined if no reply is repaired. */
  readonly repairs: RepairEstimate | undefined
  /** Short descriptions of what the figures exclude. */
  readonly unknown: ReadonlyArray<string>
  /** A list whose length is unknown before the run; the figures are per item. */
  readonly openList: string | undefined
}

/** Repair calls, one per reply: the prompt, the reply, and a new reply of the same length. */
export interface RepairEstimate {
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
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
  readonly worst: {
    readonly modelCalls: number
    readonly tokens: number
    readonly cost: number | undefined
    readonly repairs: RepairEstimate | undefined
    /** What the figures of all stages exclude. */
    readonly unknown: ReadonlyArray<string>
    /** Lists of unknown length that the figures count once. */
    readonly openLists: ReadonlyArray<string>
  }
}
