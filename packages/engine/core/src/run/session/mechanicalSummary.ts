/** The summary of folded turns that needs no model: who asked what, what was answered and done, oldest turns dropped first. */
import type { SessionTurn } from "@planloom/plugin/effect"
import { estimateTokens } from "@planloom/prompt/tokens"
import { oneLine } from "../../tool/summaryOf.ts"

/** Characters of a request or an answer. */
const LONGEST_TEXT = 200

/** First line of a summary that has lost turns. */
const DROPPED = "(Earlier turns are left out.)"

/** Appends the turns to the summary before them, and keeps the newest lines that fit. */
export const mechanicalSummary = (
  before: string,
  turns: ReadonlyArray<SessionTurn>,
  maxTokens: number,
): string => {
  const known = before === "" ? [] : before.split("\n").filter((line) => line !== DROPPED)
  const lines = [...known, ...turns.map(turnLine)]
  const kept: Array<string> = []
  let tokens = 0
  for (const line of lines.toReversed()) {
    tokens += estimateTokens(line) + 1
    if (tokens > maxTokens) break
    kept.unshift(line)
  }
  const isComplete = kept.length === lines.length && !before.startsWith(DROPPED)
  return (isComplete ? kept : [DROPPED, ...kept]).join("\n")
}

const turnLine = ({ assistant, notes = [], user }: SessionTurn): string => {
  const done = notes.length === 0 ? "" : ` [${notes.join("; ")}]`
  return `- Asked: ${short(user)} Answered: ${short(assistant)}${done}`
}

const short = (text: string): string => {
  const line = oneLine(text)
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`
}
