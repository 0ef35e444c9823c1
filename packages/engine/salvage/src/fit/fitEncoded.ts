/** Fits a document that is encoded in a string. */
import { Scanner } from "../find/Scanner.ts"
import type { Node } from "../read/Node.ts"
import { COST, type Fit } from "./Fit.ts"
import type { FitContext } from "./FitContext.ts"
import { isJson } from "./isJson.ts"
import type { ObjectSchema } from "./Schema.ts"

/** Returns `undefined` if the string has no document. `exact`: accepts valid JSON only, because a list may contain such text. */
export const fitEncoded = (
  fitter: FitContext,
  node: Node,
  schema: ObjectSchema,
  exact: boolean,
): Fit | undefined => {
  const text = String(node.value).trim()
  if (!(text.startsWith("{") || text.startsWith("["))) return undefined
  if (exact && !isJson(text)) return undefined
  const scanner = new Scanner(fitter.limits)
  scanner.advance(text, true)
  const found = scanner.candidates[0]
  if (found === undefined || found.start !== 0) return undefined
  const fit = fitter.within(text).fit(found.reader.root, schema)
  // Locations inside the string are reported as the string's.
  return {
    ...fit,
    cost: fit.cost + COST.shape,
    notes: [
      { kind: "unwrapped", node, detail: "text" },
      ...fit.notes.map((note) => ({ ...note, node })),
    ],
    problems: fit.problems.map((problem) => ({ ...problem, node })),
  }
}
