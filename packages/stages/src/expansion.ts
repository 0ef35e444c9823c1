/** Where narrowing has to look further: what a check found missing, what no chosen tool can do. */
import type { Feedback, Tool } from "@planloom/plugin"
import { canAnalyse } from "@planloom/planning"
import type { Analysis } from "@planloom/planning"

/** Ids of what the check found no step for. */
export const uncoveredIn = (feedback: Feedback | undefined): ReadonlyArray<string> => {
  const output = feedback?.output as { readonly missing?: unknown } | null | undefined
  const missing = output?.missing
  return typeof missing === "object" && missing !== null
    ? Object.entries(missing).flatMap(([kind, labels]) =>
        Array.isArray(labels) ? labels.map((label) => `${kind}:${String(label)}`) : [],
      )
    : []
}

/** An analysis that others than the chosen tools can do. */
export interface Gap {
  /** The requirement's id. */
  readonly query: string
  readonly capable: ReadonlyArray<string>
}

export const gapsIn = (
  asked: ReadonlyArray<Analysis>,
  chosen: ReadonlyArray<string>,
  usable: ReadonlyArray<Tool>,
): ReadonlyArray<Gap> =>
  asked.flatMap((analysis) => {
    const capable = usable.filter((tool) => canAnalyse(tool, analysis)).map(({ name }) => name)
    const served = capable.length === 0 || capable.some((name) => chosen.includes(name))
    return served ? [] : [{ query: `analysis:${analysis}`, capable }]
  })

/** In the order of the ranking; those it does not know come last. */
export const bestFirst = (
  names: ReadonlyArray<string>,
  ranking: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const placeOf = (name: string) => (ranking.includes(name) ? ranking.indexOf(name) : Infinity)
  return names.toSorted((left, right) => {
    const [one, two] = [placeOf(left), placeOf(right)]
    return one === two ? names.indexOf(left) - names.indexOf(right) : one - two
  })
}
