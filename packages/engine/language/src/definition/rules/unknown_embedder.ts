/** PL4032: unknown embedder, or embeddings without an index that uses them. */
import { hint } from "@planloom/expression/suggestion"
import { declareIndex, idFix, unknownId } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

export const unknownEmbedder: Rule = {
  code: "PL4032",
  slug: "unknown_embedder",
  severity: "error",
  title: "Unknown embedder",
  why: "Searches could only go by words.",
  fix: "Use the embedder that the message suggests, or declare the plugin that provides it under `use: { plugins: [...] }`. Searches also need a plugin with an index, such as `@planloom/retrieval`.",
  wrong: "embeddings: opnai",
  right: "embeddings: openai",
  check: ({ definition, resources: { components, manifests } }) => {
    const { embeddings } = definition
    if (embeddings === undefined) return []
    const path = ["embeddings"]
    const known = [...components.embedders.keys()]
    if (!known.includes(embeddings)) {
      return [
        {
          code: "PL4032",
          message: `there is no embedder "${embeddings}"`,
          path,
          help: unknownId(
            "embedders",
            embeddings,
            known,
            hint(embeddings, known, "there are"),
            manifests,
          ),
          fix: idFix("embedders", embeddings, known, manifests),
        },
      ]
    }
    return components.indexes.size > 0
      ? []
      : [
          {
            code: "PL4032",
            message: `no plugin has an index that uses the embedder "${embeddings}"`,
            path,
            help: declareIndex(manifests),
          },
        ]
  },
}
