/** The examples of a stage: what its model is shown before the question. */
import type { Effect } from "effect/Effect"
import type { BuiltIndex, IndexDocument, ModelFailed } from "@planloom/plugin/effect"
import type { CompiledValue } from "@planloom/expression"

export interface StageExamples {
  readonly user: CompiledValue
  /** The same for every run, as they are written; made at the first call. */
  readonly turns: () => ReadonlyArray<ExampleTurn>
  readonly maxTokens: number | undefined
}

export interface ExampleTurn {
  /** The conversation before it, oldest turn first. */
  readonly before: ReadonlyArray<{ readonly user: string; readonly assistant: string }>
  readonly user: string
  /** The output as JSON. */
  readonly assistant: string
}

/** Finds the examples nearest to a text. */
export interface ExampleIndex {
  readonly build: (documents: ReadonlyArray<IndexDocument>) => Effect<BuiltIndex, ModelFailed>
}
