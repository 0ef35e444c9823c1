/** Calls by which a stage reads documents in one attempt: each document once, for its `with` and for its prompt. */
import type { Pipeline } from "@planloom/core"
import type { KindWork } from "@planloom/core/internal"
import type { Range } from "./Work.ts"

export interface DocumentCalls {
  readonly calls: Range
  readonly tools: ReadonlyArray<string>
}

export const documentCalls = (
  { documents, prompt }: KindWork,
  { documents: all }: Pick<Pipeline, "documents">,
): DocumentCalls => {
  const names = [...all.keys()]
  const given = names.filter((name) => documents === "all" || documents?.has(name) === true)
  const sections =
    prompt === undefined
      ? []
      : [prompt.alone, ...prompt.modes.values()].flatMap((variant) => variant.sections)
  // The mode may be chosen in the run.
  const read = new Set([
    ...given,
    ...names.filter((name) =>
      sections.some(({ documents: own }) => own === "all" || own?.has(name) === true),
    ),
  ])
  return {
    calls: { least: given.length, most: read.size },
    tools: [...read].map((name) => all.get(name)!.tool),
  }
}
