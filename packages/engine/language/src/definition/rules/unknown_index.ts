/** PL4051: unknown index, or several of which the workflow names none. */
import { hint } from "@planloom/expression/suggestion"
import { idFix, unknownId } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

export const unknownIndex: Rule = {
  code: "PL4051",
  slug: "unknown_index",
  severity: "error",
  title: "Unknown index, or several to choose from",
  why: "Hits and scores depend on the index, so the order of plugins must not choose it.",
  fix: "Name the index that searches under `index`: one that the message lists, or one of a plugin that you declare under `use: { plugins: [...] }`.",
  wrong: 'use: { plugins: ["@planloom/retrieval", "@planloom/retrieval-faiss"] }',
  right: 'use: { plugins: ["@planloom/retrieval", "@planloom/retrieval-faiss"] }\nindex: faiss',
  check: ({ definition: { index }, resources: { components, manifests } }) => {
    const known = [...components.indexes.keys()]
    const code = "PL4051"
    if (index === undefined) {
      if (known.length < 2) return []
      const message = `the plugins have several indexes: ${known.join(", ")}`
      return [{ code, message, path: ["use"], help: "choose one: `index: NAME`" }]
    }
    if (known.includes(index)) return []
    return [
      {
        code,
        message: `there is no index "${index}"`,
        path: ["index"],
        help: unknownId("indexes", index, known, hint(index, known, "there are"), manifests),
        fix: idFix("indexes", index, known, manifests),
      },
    ]
  },
}
