/** Keeps what is assembled for stages without a prompt, by the tools that they offer. */
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"
import type { AssembledPrompt } from "./AssembledPrompt.ts"
import type { KnownTools } from "./declareTools.ts"

/** Lists of tools of a workflow. Its stages have few; a kind may make very many. */
const MAX_KEPT = 100

const keptWith = new WeakMap<KnownTools, Map<string, AssembledPrompt>>()

/** Assembles a prompt once for each list of tools; a failure is not kept. The tools of a run never change. */
export const keptPrompt = (
  tools: ReadonlyArray<string>,
  known: KnownTools,
  assemble: () => Effect.Effect<AssembledPrompt, ModelFailed>,
): Effect.Effect<AssembledPrompt, ModelFailed> => {
  let kept = keptWith.get(known)
  if (kept === undefined) keptWith.set(known, (kept = new Map<string, AssembledPrompt>()))
  const key = JSON.stringify(tools)
  const found = kept.get(key)
  if (found !== undefined) return Effect.succeed(found)
  return Effect.map(assemble(), (made) => {
    if (kept.size < MAX_KEPT) kept.set(key, made)
    return made
  })
}
