/** The calls of a plan as lines for a prompt, bounded in number and length. */
import { estimateTokens } from "@planloom/plugin/facts"
import type { StepResultCall } from "./Reflection.ts"

/** Bounds of the lines. */
export interface LineLimits {
  readonly max_items: number
  /** Of a line. */
  readonly max_characters: number
  /** Of all lines, as they are estimated. */
  readonly max_tokens: number
}

const MAX_ERROR_CHARACTERS = 50

/** `- find_pairs: 3 pairs`; `none` without a call. The last line counts what is left out. */
export const callLines = (
  calls: ReadonlyArray<Pick<StepResultCall, "tool" | "ok" | "summary" | "error">>,
  { max_characters: characters, max_items: items, max_tokens: tokens }: LineLimits,
): string => {
  if (calls.length === 0) return "none"
  const lines: Array<string> = []
  let spent = 0
  for (const call of calls.slice(0, items)) {
    const line = lineOf(call, characters)
    spent += estimateTokens(line)
    if (spent > tokens) break
    lines.push(line)
  }
  const left = calls.length - lines.length
  return [...lines, ...(left === 0 ? [] : [`- and ${left} more`])].join("\n")
}

const lineOf = (
  { error, ok, summary, tool }: Pick<StepResultCall, "tool" | "ok" | "summary" | "error">,
  characters: number,
): string =>
  oneLine(
    ok ? `- ${tool}: ${summary}` : `- ${failureLine({ tool, error: error ?? summary })}`,
    characters,
  )

/** `check_token failed: the service is down`; the tool is named once. */
export const failureLine = ({
  error = "",
  tool,
}: Pick<StepResultCall, "tool" | "error">): string => {
  const reason = error === "" ? "no reason" : error.replace(`"${tool}" reports: `, "")
  return `${tool} failed: ${oneLine(reason, MAX_ERROR_CHARACTERS)}`
}

/** The text on one line, cut at a number of characters. */
const oneLine = (text: string, characters: number): string => {
  const line = text.replace(/\s+/g, " ").trim()
  const all = Array.from(line)
  return all.length <= characters ? line : `${all.slice(0, Math.max(0, characters - 1)).join("")}…`
}
