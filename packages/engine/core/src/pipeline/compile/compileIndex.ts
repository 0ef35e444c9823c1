/** Compiles the index of a workflow: the one that it names, else the only one of its plugins, with the workflow's embedder. */
import * as Effect from "effect/Effect"
import type { Definition } from "@planloom/language"
import { loadedOnce } from "@planloom/plugin/late"
import type { Embeddings } from "../Embeddings.ts"
import type { WorkflowIndex } from "../Pipeline.ts"
import type { Bindings } from "./compileKind.ts"

/** Loaded when the first index with an embedder is built. */
const embeddingsModule = loadedOnce(() => import("../Embeddings.ts"))

export const compileIndex = (
  { embeddings: id, index: chosen }: Definition,
  { resources: { components } }: Bindings,
): WorkflowIndex | undefined => {
  const index = components.indexes.get(chosen ?? only(components.indexes) ?? "")
  if (index === undefined) return undefined
  const buildByWords: WorkflowIndex["build"] = (documents) => index.build(documents)
  const embedder = id === undefined ? undefined : components.embedders.get(id)
  if (embedder === undefined) return { embedder: undefined, buildByWords, build: buildByWords }
  let embeddings: Embeddings | undefined
  return {
    embedder: embedder.model,
    buildByWords,
    build: (documents) =>
      Effect.flatMap(embeddingsModule(), (loaded) => {
        const { embed } = (embeddings ??= new loaded.Embeddings(embedder))
        return index.build(documents, { embed, embedder: embedder.model })
      }),
  }
}

/** `check` reports several of which none is named. */
const only = <V>(map: ReadonlyMap<string, V>): string | undefined =>
  map.size === 1 ? map.keys().next().value : undefined
