/** What a run shows, on its way through the gates of those that wrote it; work only for workflows that have one. */
import * as Effect from "effect/Effect"
import type { Json, StageFailed } from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import type { CompiledValue } from "@planloom/expression"
import { modelTexts, type ModelTexts, type Writers } from "../../pipeline/ModelTexts.ts"
import type { PipelineOutput } from "../../pipeline/Pipeline.ts"
import { isGated, type Frame } from "../Frame.ts"
import { shownModule } from "../lateModules.ts"
import type { Shown, ShownSite } from "./ShownSite.ts"
import { withheld } from "./blocked.ts"
import { textsOf } from "./ShownTexts.ts"

/** Where texts of models may be in a workflow that something shows through a gate; undefined for any other. */
export const textsIn = (frame: Frame): ModelTexts | undefined =>
  isGated(frame) ? modelTexts(frame.pipeline, frame.isNested === true) : undefined

/** Whether a failure of the stage may quote a text that must pass a gate before it is shown. */
export const mayQuote = (frame: Frame, stage: string): boolean => {
  const writers = textsIn(frame)?.near(stage)
  return writers !== undefined && hasGate(writers, frame)
}

/** The same of the value of an expression. */
export const mayQuoteIn = (frame: Frame, { references }: CompiledValue): boolean => {
  const writers = textsIn(frame)?.read(references)
  return writers !== undefined && writers.size > 0 && hasGate(writers, frame)
}

const hasGate = (writers: Writers, { around }: Frame): boolean =>
  around !== undefined || [...writers].some(({ gate }) => gate !== undefined)

/** A value that a stage shows: a note for the user, a question. */
export const shownByStage = <A extends Json>(
  site: ShownSite & { readonly stage: string },
  value: A,
): Effect.Effect<Shown<A>, StageFailed> => {
  const texts = textsIn(site.frame)
  return texts === undefined
    ? Effect.succeed({ value, isBlocked: false })
    : shown(site, value, { writers: texts.of(site.stage) }, texts)
}

/** A value whose origin is not known: of a hook or a reviewer, or what a session keeps. */
export const shownByAny = <A extends Json>(
  site: ShownSite,
  value: A,
): Effect.Effect<Shown<A>, StageFailed> => {
  const texts = textsIn(site.frame)
  return texts === undefined
    ? Effect.succeed({ value, isBlocked: false })
    : shown(site, value, { writers: texts.anyWriter }, texts)
}

/** The value of an expression of the workflow. */
export const shownValue = <A extends Json>(
  site: ShownSite,
  value: A,
  compiled: CompiledValue,
): Effect.Effect<Shown<A>, StageFailed> => {
  const texts = textsIn(site.frame)
  return texts === undefined
    ? Effect.succeed({ value, isBlocked: false })
    : shown(site, value, { compiled }, texts)
}

const shown = <A extends Json>(
  site: ShownSite,
  value: A,
  given: Parameters<typeof textsOf>[1],
  texts: ModelTexts,
): Effect.Effect<Shown<A>, StageFailed> => {
  const found = textsOf(value, given, texts)
  return found.length === 0
    ? Effect.succeed({ value, isBlocked: false })
    : Effect.flatMap(shownModule(), ({ reviewShown }) => reviewShown(site, value, found))
}

/** An output of the run as users get it. Fails with class `blocked` if what a review puts into it does not fit its schema. */
export const shownOutput = (
  frame: Frame,
  { name, validate, value: compiled }: Pick<PipelineOutput, "name" | "validate" | "value">,
  value: Json,
): Effect.Effect<Json, StageFailed> =>
  Effect.flatMap(
    shownValue({ frame, name: ofRun("shown", [name]) }, value, compiled),
    ({ value: passed }) =>
      passed === value || validate(passed).length === 0
        ? Effect.succeed(passed)
        : Effect.fail(withheld(`output "${name}"`)),
  )
