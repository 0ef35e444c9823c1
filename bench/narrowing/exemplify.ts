/** Gives tools some of the requests that need them as examples, and leaves the others to be asked. */
import type { ToolSet } from "./ToolSet.ts"

/** How requests are split: `given` says which may become examples. */
type Given = (relevant: ReadonlyArray<string>, at: number) => boolean

/** Every other request: the same tools are asked for together in both halves. */
export const alternate: Given = (_, at) => at % 2 === 0

/** Every other combination of tools, in order of appearance: none that is asked for is among the examples. */
export const alternateCombinations = (): Given => {
  const seen = new Map<string, number>()
  return (relevant) => {
    const key = relevant.toSorted().join("\n")
    const at = seen.get(key) ?? seen.size
    seen.set(key, at)
    return at % 2 === 0
  }
}

/** At most `most` examples a tool, evenly spread over what there is; a request may be the example of each tool it needs. */
export const exemplify = (set: ToolSet, most: number, given: Given): ToolSet => {
  const candidates = new Map<string, Array<string>>()
  const asked = set.queries.filter(({ query, relevant }, at) => {
    if (!given(relevant, at)) return true
    for (const id of relevant) candidates.set(id, [...(candidates.get(id) ?? []), query])
    return false
  })
  const documents = set.documents.map((document) => {
    const all = candidates.get(document.id) ?? []
    const step = Math.max(1, all.length / most)
    const examples = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
    return examples.length === 0 ? document : { ...document, examples }
  })
  return { ...set, documents, queries: asked }
}
