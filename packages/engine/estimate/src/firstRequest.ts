/** The tokens of the first request of a stage to one model. */
import type { Asking } from "@planloom/plugin/effect"
import type { KindWork, Node } from "@planloom/core/internal"
import type { ExpressionScope } from "@planloom/expression"
import { exampleTokens } from "@planloom/prompt"
import { besideTexts, estimate, mostTokens, type TokenCounter } from "@planloom/prompt/tokens"
import { promptEstimate } from "./promptEstimate.ts"
import { sum } from "./sum.ts"
import { withEstimate } from "./withEstimate.ts"
import type { Range } from "./Work.ts"

/** Marks between parts of the text, and the names of roles. */
const MARKS = 20

/**
 * Both limits are the same if all texts of the request are known. `isFirst`: nothing that the run has made is added, such
 * as an earlier reply and its problems.
 */
export const firstRequest = (
  asking: Asking,
  work: KindWork,
  { hooks }: Pick<Node, "hooks">,
  scope: ExpressionScope,
  counter: TokenCounter = estimate,
  isFirst = true,
): Range => {
  const count = counter.exact ? counter.count : mostTokens
  const most: TokenCounter = { exact: counter.exact, count }
  const prompt = work.prompt && promptEstimate(work.prompt, scope, most)
  const examples = work.examples
  const given = withEstimate(work.with, scope, counter)
  const shown =
    examples === undefined ? 0 : exampleTokens({ ...examples, maxTokens: undefined }, most)
  const texts =
    (prompt?.untruncated ?? 0) + shown + given.tokens + sum((asking.adds ?? []).map(count))
  const messages = 2 + 2 * (examples?.examples.length ?? 0)
  const beside =
    besideTexts(
      {
        model: "",
        system: Array.from({ length: 4 }, () => ({ text: "" })),
        messages: Array.from({ length: messages }, () => ({ role: "user", content: "" }) as const),
        ...(asking.way === "text" && asking.tools !== true ? {} : { tools: [] }),
      },
      counter,
    ) + MARKS
  const isKnown =
    isFirst &&
    asking.adds !== undefined &&
    hooks === undefined &&
    given.open.length === 0 &&
    (prompt === undefined || (prompt.open.length === 0 && asking.way !== "agent"))
  if (isKnown) return { least: texts + beside, most: texts + beside }
  const kept = examples === undefined ? 0 : exampleTokens(examples, counter)
  return {
    least: texts - shown + kept - (prompt?.untruncated ?? 0) + promptTokens(work, scope, counter),
    most: Infinity,
  }
}

const promptTokens = ({ prompt }: KindWork, scope: ExpressionScope, counter: TokenCounter) =>
  prompt === undefined ? 0 : promptEstimate(prompt, scope, counter).tokens
