/** Keeps what is assembled for stages without a prompt, by the tools that they offer and the sections of their kind. */
import * as Effect from "effect/Effect"
import type { Ask } from "@planloom/plugin/effect"
import type { AssembledPrompt } from "./AssembledPrompt.ts"
import { declareTools, type KnownTools } from "./declareTools.ts"
import type { StagePrompt } from "./StagePrompt.ts"

/** Lists of tools of a workflow. Its stages have few; a kind may make very many. */
const MAX_KEPT = 100

type Sections = NonNullable<NonNullable<Ask["prompt"]>["sections"]>

/** All that makes such a prompt, besides the tools that are known. */
interface PlainPrompt {
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

interface AskingStage {
  readonly prompt: StagePrompt | undefined
  /** Its kind. */
  readonly uses: string
}

const keptWith = new WeakMap<KnownTools, Array<Kept>>()

/** Of a stage that gives its model messages alone. */
export const bare: AssembledPrompt = { sections: [], offers: [], mode: "", cuts: [] }

const bareOnly = Effect.succeed(bare)

/** The prompt without hooks of an ask, if nothing has to be assembled. Newer tools of a run are other `known` ones. */
export const keptPrompt = (
  ask: Ask,
  stage: AskingStage,
  known: KnownTools,
): Effect.Effect<AssembledPrompt> | undefined => {
  if (ask.prompt === undefined && ask.tools === undefined && stage.prompt === undefined) {
    return bareOnly
  }
  const kept = keptWith.get(known)
  if (kept === undefined) return undefined
  const plain = plainPrompt(ask, stage)
  if (plain === undefined) return undefined
  const { sections, tools, uses } = plain
  for (const one of kept) {
    if (isSame(one.tools, tools) && one.uses === uses && areEqual(one.sections, sections))
      return one.assembled
  }
  return undefined
}

/** Keeps the prompt of an ask that had none, if the next one with equal tools and sections has the same. */
export const keepPrompt = (
  ask: Ask,
  stage: AskingStage,
  known: KnownTools,
  prompt: AssembledPrompt,
): AssembledPrompt => {
  const plain = plainPrompt(ask, stage)
  if (plain === undefined) return prompt
  let kept = keptWith.get(known)
  if (kept === undefined) keptWith.set(known, (kept = []))
  if (kept.length === MAX_KEPT) return prompt
  const declared = { ...prompt, declared: declareTools(prompt.offers, known) }
  kept.push({
    ...plain,
    sections: plain.sections.map((section) => ({ ...section })),
    tools: [...plain.tools],
    assembled: Effect.succeed(declared),
  })
  return declared
}

const none: ReadonlyArray<never> = []

/** The prompt without hooks of a stage that has none, if names of tools and stable sections are all that changes it. */
const plainPrompt = (
  { prompt, tools = none }: Ask,
  { prompt: own, uses }: AskingStage,
): PlainPrompt | undefined => {
  const { mode, sections = none, use, vars } = prompt ?? {}
  return own === undefined &&
    (mode ?? use ?? vars) === undefined &&
    areNames(tools) &&
    sections.every(({ stable }) => stable)
    ? { tools, sections, uses }
    : undefined
}

const areNames = (tools: NonNullable<Ask["tools"]>): tools is ReadonlyArray<string> =>
  tools.every((tool) => typeof tool === "string")

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
