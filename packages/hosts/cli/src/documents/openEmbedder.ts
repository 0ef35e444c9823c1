/** The embedders of libraries, from the plugins of what declares them, with their prices and the reasons for which they give no vectors. */
import type { PassageEmbedder } from "@planloom/documents/manage"
import { factsOf, type ModelFacts } from "@planloom/plugin/facts"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { pluginOptions } from "../project/pluginOptions.ts"
import { problem, type Refused } from "../Refused.ts"
import type { DeclaredSet } from "./withLibraries.ts"

export interface OpenEmbedder extends PassageEmbedder {
  /** Undefined if it is not known. */
  readonly price: ModelFacts["price"]
  /** The reason for which the last call gave no vectors. */
  readonly problem: () => string | undefined
  /** Tokens of the calls, as the service counted them; undefined once it has not. */
  readonly tokens: () => number | undefined
}

/** In the order of the libraries; undefined for one that names none. The plugins stay set up until the scope closes. */
export const openEmbedders = (
  sets: ReadonlyArray<DeclaredSet>,
): Effect.Effect<ReadonlyArray<OpenEmbedder | undefined>, Refused, Scope> =>
  Effect.gen(function* () {
    const opened = new Map<string, OpenEmbedder>()
    const found: Array<OpenEmbedder | undefined> = []
    for (const { by, embedder: id } of sets) {
      const key = JSON.stringify([by.path, id])
      const one = id === undefined ? undefined : (opened.get(key) ?? (yield* open(id, by)))
      if (one !== undefined) opened.set(key, one)
      found.push(one)
    }
    return found
  })

const open = Effect.fnUntraced(function* (id: string, { path, texts }: DeclaredSet["by"]) {
  const { load } = yield* Effect.promise(() => import("@planloom/embed"))
  const options = yield* pluginOptions
  const { pipeline, resources } = yield* Effect.mapError(
    load(path, texts === undefined ? options : { ...options, texts }),
    ({ message }) => problem(message),
  )
  // `check` has found it.
  const { dimensions, embed, model } = resources.components.embedders.get(id)!
  let failure: string | undefined
  let tokens: number | undefined = 0
  return {
    model,
    dimensions,
    price: factsOf(model, pipeline.facts)?.price,
    problem: () => failure,
    tokens: () => tokens,
    embed: (sent, signal) =>
      Effect.runPromise(
        Effect.match(embed(sent), {
          onFailure: ({ message }) => {
            failure = message
            return undefined
          },
          onSuccess: (made) => {
            failure = undefined
            tokens =
              tokens === undefined || made.tokens === undefined ? undefined : tokens + made.tokens
            return made.vectors
          },
        }),
        { signal },
      ),
  } satisfies OpenEmbedder
})
