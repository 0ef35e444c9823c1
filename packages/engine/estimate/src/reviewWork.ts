/** Work of the reviewers of a gate. */
import type { Gate, GateReviews, ReviewUse } from "@planloom/plugin/effect"
import type { Pipeline } from "@planloom/core"
import type { ResolvedModel } from "@planloom/core/internal"
import { askWork, unknownPrompt } from "./askWork.ts"
import { addWork, noWork, product, timesWork, unlimited, type Range, type Work } from "./Work.ts"

/** Texts that pass a gate. */
export interface GatedTexts {
  readonly replies: Range
  /** Whether values are shown whose texts pass the gate one by one. */
  readonly showsValues: boolean
  /** Texts that are reviewed after they have left. */
  readonly after: number
  /** Whether tools may have changed something when a reply is blocked. */
  readonly changes: boolean
}

/** The work of a gate's reviewers; undefined if the gate does not say how often it asks them. */
export const reviewWork = (
  gate: Gate | undefined,
  texts: GatedTexts,
  model: ResolvedModel | undefined,
  pipeline: Pipeline,
): Work | undefined => {
  if (gate === undefined) return noWork
  if (gate.reviews === undefined) return undefined
  return addWork(gate.reviews.map((one) => oneReviewer(one, texts, model, pipeline)))
}

const oneReviewer = (
  { after, blocked, reply, use, value }: GateReviews,
  texts: GatedTexts,
  model: ResolvedModel | undefined,
  pipeline: Pipeline,
): Work => {
  const one = oneReview(use, model, pipeline)
  // What tools have changed is reviewed in place of a blocked text.
  const changed = texts.changes ? blocked : 0
  const each = reply === 0 ? 0 : reply + changed
  const replies: Range = {
    least: product(finite(each), texts.replies.least),
    most: product(each, texts.replies.most),
  }
  const later = after === 0 ? 0 : product(after + changed, texts.after)
  const all = timesWork(one, { least: replies.least + finite(later), most: replies.most + later })
  return value > 0 && texts.showsValues
    ? unlimited(addWork([all, timesWork(one, unknownTimes)]))
    : all
}

const unknownTimes: Range = { least: 0, most: Infinity }

const finite = (value: number): number => (Number.isFinite(value) ? value : 1)

/** The work of one review, by the model of the reviewer, or else of the stage. */
export const oneReview = (
  use: ReviewUse,
  stage: ResolvedModel | undefined,
  pipeline: Pipeline,
): Work => {
  const id = typeof use === "string" ? use : use.use
  const named = typeof use === "string" ? undefined : use.model
  const options = typeof use === "string" ? {} : (use.with ?? {})
  const subagent = pipeline.subagents.get(id)
  if (subagent === undefined) return noWork
  const model = modelOf(id, named, pipeline) ?? stage
  const asks = subagent.asks?.(options)
  const site = {
    models: unknownPrompt(model, pipeline.facts),
    maxTokens: model?.maxTokens,
    onCut: model?.onCut ?? "note",
    repair: model?.repair ?? true,
    isGated: false,
  } as const
  const works = (asks ?? [{ way: "json" } as const]).map((one) => {
    const { asks: first, continuations, repairs } = askWork(one, site)
    return addWork([first, continuations, repairs])
  })
  const all = addWork(works)
  return asks === undefined ? unlimited(all) : all
}

const modelOf = (id: string, named: string | undefined, pipeline: Pipeline) =>
  pipeline.reviewerModel === undefined
    ? named === undefined
      ? undefined
      : pipeline.models.named(named)
    : pipeline.reviewerModel(id, named)
