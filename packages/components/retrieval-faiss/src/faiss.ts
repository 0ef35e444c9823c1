/** The index `faiss`: words as the embedded index, and vectors in FAISS. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Index } from "@planloom/plugin/effect"
import { embeddedIndex, type EmbeddedOptions } from "@planloom/retrieval"
import type { FaissKind } from "./CheckedIndex.ts"
import { FaissRanking } from "./FaissRanking.ts"
import { loadFaiss, type Faiss } from "./loadFaiss.ts"

export interface FaissOptions extends Pick<EmbeddedOptions, "folder"> {
  readonly kind?: FaissKind
}

export const faissIndex = (
  { folder, kind = "flat" }: FaissOptions = {},
  load: () => Faiss | string = loadFaiss,
): Index => {
  let loaded: Faiss | string | undefined
  const index = embeddedIndex({
    ...(folder !== undefined && { folder }),
    ranking: () => new FaissRanking(loaded as Faiss, kind),
  })
  return {
    id: "faiss",
    summary: "Finds by words and, with an embedder, by meaning in FAISS.",
    build: (documents, options) =>
      Effect.suspend(() => {
        loaded ??= load()
        return typeof loaded === "string"
          ? Effect.fail(
              new ModelFailed({ class: "invalid_request", model: "faiss", message: loaded }),
            )
          : index.build(documents, options)
      }),
  }
}
