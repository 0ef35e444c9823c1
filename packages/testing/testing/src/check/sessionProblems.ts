/** Checks a given session against the workflow whose run begins with it. */
import { pastProblems } from "@planloom/language"
import type { DocumentPath, Past, Problem } from "@planloom/language"
import type { Pipeline } from "@planloom/core"
import { pastSession } from "@planloom/core/internal"

/** With tools that are not those of the workflow, calls are not compared with them. */
export const sessionProblems = (
  past: Past | undefined,
  at: DocumentPath,
  pipeline: Pipeline,
  hasOtherTools: boolean,
): ReadonlyArray<Problem> => {
  if (past === undefined) return []
  const isOpen = hasOtherTools || pipeline.workflows.size > 0
  const names = isOpen ? undefined : [...pipeline.tools.keys()]
  const problems = pastProblems(past, at, pipeline.definition, names)
  if (problems.length > 0 || isOpen) return problems
  return pastSession(past, pipeline).faults.map(({ call, message, turn }) => ({
    code: "PL0103",
    path: [...at, "turns", turn, "calls", call, "result"],
    message,
    help: "write a result as the tool gives it",
  }))
}
