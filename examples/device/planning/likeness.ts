/** How much a request sounds like something a tool is known to be asked with, from 0 to 1. */
import type { Tool } from "@planloom/plugin/effect"
import { stemsOf } from "../language/words.ts"

/** Words that every tool is asked with count little, and not nothing: "what did I copy" lives of them. */
const LIGHT = 0.3

interface Example {
  readonly tool: string
  readonly stems: ReadonlySet<string>
}

export interface Likeness {
  /** The best example of each tool that has any in common with the request. */
  readonly likest: (text: string) => ReadonlyMap<string, number>
}

const known = new WeakMap<ReadonlyArray<Tool>, Likeness>()

/** Rare words weigh more: those few tools are asked with tell them apart. Made once for a list of tools. */
export const likenessOf = (tools: ReadonlyArray<Tool>): Likeness => {
  const likeness = known.get(tools) ?? likenessOfExamples(tools)
  known.set(tools, likeness)
  return likeness
}

const likenessOfExamples = (tools: ReadonlyArray<Tool>): Likeness => {
  const examples: ReadonlyArray<Example> = tools.flatMap(({ examples: said = [], name }) =>
    said.map((text) => ({ tool: name, stems: new Set(stemsOf(text)) })),
  )
  const owners = new Map<string, Set<string>>()
  for (const { stems, tool } of examples)
    for (const stem of stems) owners.set(stem, (owners.get(stem) ?? new Set()).add(tool))
  const weight = (stem: string): number => {
    const count = owners.get(stem)?.size ?? 0
    return count === 0 ? 1 : LIGHT + Math.log(1 + tools.length / count) / Math.log(1 + tools.length)
  }
  const sum = (stems: Iterable<string>): number => {
    let total = 0
    for (const stem of stems) total += weight(stem) ** 2
    return total
  }
  return {
    likest: (text) => {
      const asked = new Set(stemsOf(text))
      const best = new Map<string, number>()
      for (const { stems, tool } of examples) {
        const shared = sum([...asked].filter((stem) => stems.has(stem)))
        if (shared === 0) continue
        const likeness = shared / Math.sqrt(sum(asked) * sum(stems))
        if (likeness > (best.get(tool) ?? 0)) best.set(tool, likeness)
      }
      return best
    },
  }
}
