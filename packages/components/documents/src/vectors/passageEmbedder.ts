/** The embedder that a set names, as promises: its calls are a part of the tool call whose services are given. */
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import type { DocumentSet } from "../sets/readSets.ts"
import type { PassageEmbedder } from "./embedPassages.ts"

/** Fails with `DocumentsFailed` where the workflow has no such embedder. */
export const passageEmbedder = (
  { embedder: id, name }: DocumentSet,
  embedderOf: ToolInvocation["embedder"],
  services: Context<never>,
): PassageEmbedder | undefined => {
  if (id === undefined) return undefined
  const found = embedderOf?.(id)
  if (found === undefined)
    throw new DocumentsFailed(`the library ${name} needs the embedder ${id}: no plugin has it`)
  const { dimensions, embed, model, without } = found
  return {
    model,
    dimensions,
    embed: (texts, signal) => Effect.runPromiseWith(services)(embed(texts), { signal }),
    without: (reason) => Effect.runPromiseWith(services)(without(reason)),
  }
}
