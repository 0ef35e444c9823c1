/** A clarifying question about a table, and the words that its answers stand for. */
import type { Choice, Question } from "@planloom/planning/reading"

/** An accepted answer, and the words it puts in place of those in question. */
export interface TableChoice extends Choice {
  readonly says: string
}

export type TableQuestion = Question<TableChoice>

export const choices = (texts: ReadonlyArray<string>): ReadonlyArray<TableChoice> =>
  texts.map((says) => ({ label: says, says }))

/** Answers that remove the words in question. */
export const leaveOut = ["leave it out", "yes"].map((label) => ({ label, says: "" }))
