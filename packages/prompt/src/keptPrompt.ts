/** Keeps what is assembled for stages without a prompt, by the tools that they offer. */
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"
import type { AssembledPrompt } from "./AssembledPrompt.ts"
import type { KnownTools } from "./declareTools.ts"

/** Lists of tools of a workflow. Its stages have few; a kind may make very many. */
const MAX_KEPT = 100

interface Kept {
  readonly tools: ReadonlyArray<string>
  readonly prompt: AssembledPrompt
}

const keptWith = new WeakMap<KnownTools, Array<Kept>>()

/** Assembles a prompt once for each list of tools; a failure is not kept. Newer tools of a run are other `known` ones. */
export const keptPrompt = (
  tools: ReadonlyArray<string>,
  known: KnownTools,
  assemble: () => Effect.Effect<AssembledPrompt, ModelFailed>,
): Effect.Effect<AssembledPrompt, ModelFailed> => {
  let kept = keptWith.get(known)
  if (kept === undefined) keptWith.set(known, (kept = []))
  for (const { prompt, tools: of } of kept) if (isSame(of, tools)) return Effect.succeed(prompt)
  return Effect.map(assemble(), (prompt) => {
    if (kept.length < MAX_KEPT) kept.push({ tools: [...tools], prompt })
    return prompt
  })
}

const isSame = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}
