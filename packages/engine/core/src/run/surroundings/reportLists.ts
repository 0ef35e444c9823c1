/** Reports tool sources that cannot list all their tools when a run starts. */
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import type { RunState } from "../RunState.ts"

/** Once for each source and reason, also those of workflows that its stages run. */
export const reportLists = (
  pipeline: Pipeline,
  state: Pick<RunState, "emit">,
  reported?: Set<string>,
): void => {
  const { listProblems, liveTools, workflows } = pipeline
  const problems = liveTools === undefined ? listProblems : liveTools.snapshot().problems
  if (problems.length === 0 && workflows.size === 0) return
  const all = reported ?? new Set()
  for (const { reason, source } of problems) {
    const key = JSON.stringify([source, reason])
    if (all.has(key)) continue
    all.add(key)
    state.emit({ type: "ToolListFailed", source, reason })
  }
  for (const inner of workflows.values()) reportLists(inner, state, all)
}
