/** Queries for the tool index: one per requirement, and a combined one. */
import type { Requirement } from "@planloom/planning"

export interface Query {
  /** The requirement's id, or `all`. */
  readonly name: string
  readonly text: string
}

/** Requirements without a `query` are skipped. */
export const queriesOf = (
  requirements: ReadonlyArray<Requirement>,
  question: string | undefined,
): ReadonlyArray<Query> => {
  const single = requirements.flatMap(({ id, query }) =>
    query === undefined ? [] : [{ name: id, text: query }],
  )
  const all = [...(question === undefined ? [] : [question]), ...single.map(({ text }) => text)]
  return all.length === 0 ? [] : [...single, { name: "all", text: all.join(". ") }]
}
