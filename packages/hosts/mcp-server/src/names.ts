/** Names that clients see beside those of workflows. */

/** Not the name of a workflow: those have no hyphen. */
export const ANSWER_TOOL = "answer-question"

/** The record of a run. */
export const runUri = (run: string): string => `planloom://runs/${encodeURIComponent(run)}`
