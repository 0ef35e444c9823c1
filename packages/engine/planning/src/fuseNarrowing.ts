/** Fuses the rankings of several queries into one short list of tools, round-robin; curated tools are always kept. */

export interface Ranking {
  /** The requirement the query was made from, or `all` for the combined one. */
  readonly query: string
  /** Names of tools, best first. */
  readonly tools: ReadonlyArray<string>
}

export interface NarrowingInput {
  readonly rankings: ReadonlyArray<Ranking>
  /** The template's curated tools. */
  readonly template: ReadonlyArray<string>
  /** Tools that every plan may choose from. */
  readonly safety: ReadonlyArray<string>
  readonly limit: number
  /** Queries without a chosen tool that serves them; each adds `more` tools of its own beyond the limit. */
  readonly missing?: { readonly queries: ReadonlyArray<string>; readonly more: number }
  /** All known tools, in declared order. */
  readonly known: ReadonlyArray<string>
}

export interface Kept {
  readonly tool: string
  readonly kept: boolean
  /** `template`, `safety set`, `3rd for analysis:trend` …, or why not. */
  readonly why: string
}

export interface Narrowing {
  /** Best first: ranked highest by most queries. */
  readonly tools: ReadonlyArray<string>
  /** The chosen tools, then those that a query found and that were not chosen; no others. */
  readonly trace: ReadonlyArray<Kept>
}

const ordinal = (rank: number): string => {
  const tens = rank % 100
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][rank % 10] ?? "th")
  return `${rank}${suffix}`
}

/** The best rank of each ranked tool, and the query that gave it. */
const bestRanks = (rankings: ReadonlyArray<Ranking>) => {
  const best = new Map<string, { readonly query: string; readonly rank: number }>()
  for (const { query, tools } of rankings)
    tools.forEach((tool, at) => {
      const known = best.get(tool)
      if (known === undefined || at + 1 < known.rank) best.set(tool, { query, rank: at + 1 })
    })
  return best
}

/**
 * Fills the slots round-robin: the first of each query, then the second of each … Template tools
 * and the safety set come in whatever the queries say, so the list is never longer than
 * `max(limit, number of those)`, plus the additions for missing requirements.
 */
export const fuseNarrowing = (input: NarrowingInput): Narrowing => {
  const { rankings, known } = input
  const order = new Map(known.map((tool, at) => [tool, at]))
  const isKnown = (tool: string) => order.has(tool)
  const curated = new Set([...input.template, ...input.safety].filter(isKnown))
  const chosen = new Set(curated)
  const depth = Math.max(0, ...rankings.map(({ tools }) => tools.length))
  for (let rank = 0; rank < depth && chosen.size < input.limit; rank++) {
    for (const { tools } of rankings) {
      const tool = tools[rank]
      if (tool !== undefined && isKnown(tool) && chosen.size < input.limit) chosen.add(tool)
    }
  }
  const expanded = new Map<string, string>()
  for (const { query, tools } of rankings) {
    if (input.missing?.queries.includes(query) !== true) continue
    const fresh = tools.filter((tool) => isKnown(tool) && !chosen.has(tool))
    for (const tool of fresh.slice(0, input.missing.more)) {
      chosen.add(tool)
      expanded.set(tool, query)
    }
  }
  const best = bestRanks(rankings)
  const byRank = (left: string, right: string): number => {
    const [one, two] = [best.get(left)?.rank ?? Infinity, best.get(right)?.rank ?? Infinity]
    return one === two ? order.get(left)! - order.get(right)! : one - two
  }
  const tools = [...chosen].toSorted(byRank)
  const explain = (tool: string): Kept => {
    const first = best.get(tool)
    const place = first === undefined ? undefined : `${ordinal(first.rank)} for ${first.query}`
    if (!chosen.has(tool)) return { tool, kept: false, why: `${place}, beyond the limit` }
    const reasons = [
      ...(input.template.includes(tool) ? ["template"] : []),
      ...(input.safety.includes(tool) ? ["safety set"] : []),
      ...(place === undefined ? [] : [place]),
      ...(expanded.has(tool) ? [`added because nothing served ${expanded.get(tool)}`] : []),
    ]
    return { tool, kept: true, why: reasons.join(", ") }
  }
  const strangers = [...new Set([...input.template, ...input.safety])].filter(
    (one) => !isKnown(one),
  )
  return {
    tools,
    trace: [
      ...tools.map(explain),
      ...[...best.keys()]
        .filter((tool) => isKnown(tool) && !chosen.has(tool))
        .toSorted(byRank)
        .map(explain),
      ...strangers.map((tool) => ({ tool, kept: false, why: "unknown tool" })),
    ],
  }
}
