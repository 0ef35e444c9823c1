/** How long a turn takes at most from when its outputs leave until it is saved. */
import { SUMMARY_TIMEOUT_MS } from "../../pipeline/compile/summaryStage.ts"
import type { Pipeline, ReviewedOutput } from "../../pipeline/Pipeline.ts"

/** For the hooks and the record of a turn whose reviews took all their time. */
const SAVE_MS = 1000

/** Milliseconds. */
export const reviewMs = ({ reviewed, session }: Pipeline): number =>
  Math.max(0, ...reviewed.map(outputMs)) +
  (session?.compact?.block === undefined ? 0 : SUMMARY_TIMEOUT_MS) +
  SAVE_MS

/** Gates of several stages review a text in turn, each once. */
const outputMs = ({ stages }: ReviewedOutput): number => {
  const limits = new Map(stages.map(({ after, afterMs }) => [after, afterMs]))
  return [...limits.values()].reduce((sum, ms) => sum + ms, 0)
}
