/** Questions to a table as data: what must be understood, planned and found. */

interface Asked {
  readonly ask: string
}

/** Answered: the plan runs, and its table is the one the query gives. */
export interface Answered extends Asked {
  /** Ids of all that was understood, in any order: `metrics:revenue`, `filter:region = Europe` … */
  readonly needs: ReadonlyArray<string>
  /** The tools of the plan's steps, in their order. */
  readonly tools: ReadonlyArray<string>
  /** Written by hand and asked of DuckDB directly; `$table` stands for the file. */
  readonly sql: string
  /** The order of the rows is part of the answer. */
  readonly ordered?: true
  /** Those of the tools that have nothing to work on, because no row is left. */
  readonly idle?: ReadonlyArray<string>
  /** What the answer must say, in part. */
  readonly says?: ReadonlyArray<string>
  /** Words that were not understood and do not change the answer; it names them. */
  readonly unknown?: ReadonlyArray<string>
}

/** Not answered: the run ends in a question that holds all of these words. */
export interface AskedBack extends Asked {
  readonly asksBack: ReadonlyArray<string>
}

/** Not answered: the run fails, and says all of these words. */
export interface Refused extends Asked {
  readonly refuses: ReadonlyArray<string>
}

export type Question = Answered | AskedBack | Refused

export interface QuestionedTable {
  /** Name of the file. */
  readonly file: string
  /** Where it lies. `generated` is written by `make` into a folder of the test's own. */
  readonly from: "examples" | "vega-datasets" | "generated"
  /** SQL that writes `$file`, or the text of the file. */
  readonly make?: { readonly sql: string } | { readonly text: string }
  /** How the hand-written queries read it; `$file` is its quoted path. */
  readonly read: string
  readonly questions: ReadonlyArray<Question>
}
