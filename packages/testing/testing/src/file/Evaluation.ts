/** What an evaluation file says, as plain data, defaults filled in. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Past } from "@planloom/language"
import type { Variant } from "./Variant.ts"
import type { ScriptedAnswer, TestExpect, TestGiven } from "./WorkflowTest.ts"

export interface Evaluation {
  /** Path of the workflow, relative to the evaluation file. */
  readonly workflow: string
  /** Exactly one of `cases` and `data` is there. */
  readonly cases: ReadonlyArray<WrittenCase> | undefined
  /** Path of a file of rows, relative to the evaluation file. */
  readonly data: string | undefined
  /** The workflow's inputs, with expressions over `row`. */
  readonly inputs: JsonObject | undefined
  readonly given: EvaluationGiven
  /** Of every case. */
  readonly expect: Expectation | undefined
  /** CEL over what assertions read, `row` and `inputs`: a number, or true and false as 1 and 0. */
  readonly score: { readonly [name: string]: string }
  /** CEL over what scores read, which gives a list: what a run should have found and has not. */
  readonly misses: string | undefined
  /** Runs of each case. */
  readonly repeat: number
  /** Runs at the same time. */
  readonly concurrency: number
  /** In the order they are written; the others are compared with the first. */
  readonly variants: { readonly [name: string]: Variant }
  /** CEL over the figures of one variant, and `variants`, `compared` and `baseline`. */
  readonly gate: ReadonlyArray<string>
}

/** What a test can expect of a run that happens. */
export type Expectation = Pick<TestExpect, "assert" | "requirements"> & {
  readonly status: TestExpect["status"] | undefined
}

export interface EvaluationGiven extends Pick<Variant, "sources"> {
  /** The user of every run, with expressions over `row`. */
  readonly user: JsonObject | undefined
  /** The conversation before every run, with expressions over `row`, or one expression that gives it. */
  readonly session: JsonObject | string | undefined
  /** Replies of every run, as in a test; what has none asks its own model. */
  readonly models: TestGiven["models"]
  /** By tool name: results, or `real` to call it. Without, a tool that may write fails, and any other is called. */
  readonly tools: TestGiven["tools"]
  /** What people answer, in order; whatever else a run asks stays open, approvals too. */
  readonly answers: ReadonlyArray<ScriptedAnswer>
}

/** Replies and stubs of one case, which take the place of those of every run by their names. */
export type CaseGiven = Pick<TestGiven, "models" | "tools">

export interface WrittenCase {
  readonly name: string | undefined
  readonly inputs: JsonObject
  readonly given: CaseGiven
  /** The conversation before it, instead of that of every run. */
  readonly session: Past | undefined
  /** What expressions read as `row`. */
  readonly row: JsonObject
  readonly expect: Expectation | undefined
}

/** One case, from wherever it is written. */
export interface EvaluationCase {
  /** Counts from 0, in the order of the file; those the filter leaves out count too. */
  readonly index: number
  readonly name: string
  readonly file: string
  readonly line: number
  readonly inputs: JsonObject
  readonly user: JsonObject | undefined
  readonly session: Past | undefined
  readonly row: JsonObject
  readonly given: CaseGiven
  readonly status: TestExpect["status"]
  /** Its own assertions, beside those of every case. */
  readonly assert: ReadonlyArray<string>
  /** Its own requirements, beside those of every case. */
  readonly requirements: ReadonlyArray<string>
}
