/** Keeps what is assembled for stages without a prompt, by the tools that they offer and the sections of their kind. */
import * as Effect from "effect/Effect"
import type { Ask, ModelFailed } from "@planloom/plugin/effect"
import type { AssembledPrompt } from "./AssembledPrompt.ts"
import type { KnownTools } from "./declareTools.ts"

/** Lists of tools of a workflow. Its stages have few; a kind may make very many. */
const MAX_KEPT = 100

type Sections = NonNullable<NonNullable<Ask["prompt"]>["sections"]>

/** All that makes such a prompt, besides the tools that are known. */
export interface PlainPrompt {
  readonly tools: ReadonlyArray<string>
  /** Stable ones: others seldom come again. */
  readonly sections: Sections
  /** The kind of the stage. */
  readonly uses: string
}

interface Kept extends PlainPrompt {
  /** Made once: the effect of a kept prompt is a value. */
  readonly assembled: Effect.Effect<AssembledPrompt>
}

const keptWith = new WeakMap<KnownTools, Array<Kept>>()

/** Assembles such a prompt once; a failure is not kept. Newer tools of a run are other `known` ones. */
export const keptPrompt = (
  { sections, tools, uses }: PlainPrompt,
  known: KnownTools,
  assemble: () => Effect.Effect<AssembledPrompt, ModelFailed>,
): Effect.Effect<AssembledPrompt, ModelFailed> => {
  let kept = keptWith.get(known)
  if (kept === undefined) keptWith.set(known, (kept = []))
  for (const one of kept) {
    if (isSame(one.tools, tools) && one.uses === uses && areEqual(one.sections, sections))
      return one.assembled
  }
  return Effect.map(assemble(), (prompt) => {
    if (kept.length < MAX_KEPT) {
      const copied = sections.map((section) => ({ ...section }))
      kept.push({ sections: copied, tools: [...tools], uses, assembled: Effect.succeed(prompt) })
    }
    return prompt
  })
}

const isSame = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}

const areEqual = (some: Sections, others: Sections): boolean => {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) {
    if (some[at]!.id !== others[at]!.id || some[at]!.text !== others[at]!.text) return false
  }
  return true
}
