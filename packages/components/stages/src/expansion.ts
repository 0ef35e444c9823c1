/** Expansion of a narrowed list: requirements that coverage reports missing, or that no chosen tool can serve. */
import type { Feedback, Tool } from "@planloom/plugin/effect"
import type { PlanRules } from "@planloom/planning"

/** Ids of the requirements that the check found uncovered. */
export const uncoveredIn = (feedback: Feedback | undefined): ReadonlyArray<string> => {
  const output = feedback?.output as { readonly missing?: unknown } | null | undefined
  const missing = output?.missing
  return typeof missing === "object" && missing !== null
    ? Object.entries(missing).flatMap(([kind, labels]) =>
        Array.isArray(labels) ? labels.map((label) => `${kind}:${String(label)}`) : [],
      )
    : []
}

/** A requirement that only tools outside the chosen ones can serve. */
export interface Gap {
  /** The requirement's id. */
  readonly query: string
  readonly capable: ReadonlyArray<string>
}

export const gapsIn = (
  { canServe, requirements }: PlanRules,
  chosen: ReadonlyArray<string>,
  usable: ReadonlyArray<Tool>,
): ReadonlyArray<Gap> =>
  requirements.flatMap((one) => {
    const serves = (tool: Tool): boolean =>
      one.tools?.includes(tool.name) ??
      (one.kind === "tool" ? tool.name === one.label : canServe?.(one, tool) === true)
    const capable = usable.filter(serves).map(({ name }) => name)
    const served = capable.length === 0 || capable.some((name) => chosen.includes(name))
    return served ? [] : [{ query: one.id, capable }]
  })

/** Sorts names by their rank; unranked names come last. */
export const orderByRank = (
  names: ReadonlyArray<string>,
  ranking: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const rankOf = (name: string) => (ranking.includes(name) ? ranking.indexOf(name) : Infinity)
  return names.toSorted((left, right) => {
    const [one, two] = [rankOf(left), rankOf(right)]
    return one === two ? names.indexOf(left) - names.indexOf(right) : one - two
  })
}
