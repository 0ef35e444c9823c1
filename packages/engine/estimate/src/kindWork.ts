/** Work of a stage kind in its attempts: its questions, and those of reviewers, tools, searches and workflows. */
import type { Asking, Asks } from "@planloom/plugin/effect"
import { writes, type KindWork, type Node } from "@planloom/core/internal"
import { askedModel, askWork, unknownPrompt, type AskSite, type AskWork } from "./askWork.ts"
import { declaredAsks } from "./declaredAsks.ts"
import { documentCalls } from "./documentCalls.ts"
import type { Parts } from "./Estimate.ts"
import type { EstimateContext } from "./EstimateContext.ts"
import { nestedWork, searchWork, serviceWork, toolWork, unpricedServices } from "./indirectWork.ts"
import { firstRequest } from "./firstRequest.ts"
import { oneReview, reviewWork } from "./reviewWork.ts"
import {
  addWork,
  exactly,
  plus,
  product,
  timesWork,
  unknownWork,
  unlimited,
  type Range,
  type Work,
} from "./Work.ts"

/** Counts of the attempts of a stage. */
export interface Attempts {
  /** First attempts whose request holds nothing that the run has made. */
  readonly first: number
  /** Retries. */
  readonly retries: number
  /** Attempts after an assertion asked for a rerun, with its reason in the request. */
  readonly reruns: number
}

export interface KindWorkEstimate {
  readonly parts: Parts
  readonly unknown: ReadonlyArray<string>
}

/** `work` is that of the node, or of its fallback. */
export const kindWork = (
  node: Node,
  work: KindWork,
  attempts: Attempts,
  context: EstimateContext,
): KindWorkEstimate => {
  const asks = declaredAsks(node, work, context)
  const all = attempts.first + attempts.retries + attempts.reruns
  const sure = asks ?? guessed(work)
  // Its reviews may ask models of their own.
  const isAble =
    (asking(work) && (work.model?.choices ?? []).length > 0) || context.pipeline.subagents.size > 0
  const questions = (sure.questions ?? []).map((one): AskWork => {
    const at = (isFirst: boolean) => askWork(one, siteOf(node, work, one, isFirst, context))
    const first = at(true)
    const retried = correctsReplies(node) ? at(false) : first
    const rerun = at(false)
    const total = (of: (ask: AskWork) => Work) =>
      addWork([
        timesWork(of(first), exactly(attempts.first)),
        timesWork(of(retried), exactly(attempts.retries)),
        timesWork(of(rerun), exactly(attempts.reruns)),
      ])
    return {
      asks: total((ask) => ask.asks),
      continuations: total((ask) => ask.continuations),
      repairs: total((ask) => ask.repairs),
      replies: { least: first.replies.least * all, most: product(first.replies.most, all) },
    }
  })
  const asked = addWork(questions.map((one) => one.asks))
  const continuations = addWork(questions.map((one) => one.continuations))
  const repairs = addWork(questions.map((one) => one.repairs))
  const reviews = reviewsOf(node, work, questions, all, asks, context)
  const calls = product(sure.calls ?? 0, all)
  const read = documentCalls(work, context.pipeline)
  const reads = product(read.calls.most, all)
  const tools = {
    ...addWork([
      timesWork(toolWork(work, sure.tools, context), exactly(calls)),
      timesWork(toolWork(work, read.tools, context), exactly(reads)),
    ]),
    // Nothing shows that a kind which declares nothing, or any plan, calls a tool at all.
    toolCalls: {
      least: (calls === Infinity ? 0 : calls) + product(read.calls.least, attempts.first),
      most: (context.pipeline.tools.size === 0 ? 0 : calls) + reads,
    },
  }
  const searches = addWork([
    searchWork(work, sure, [asked, continuations, repairs], all, context),
    timesWork(serviceWork(sure.tools, context), exactly(calls)),
    timesWork(serviceWork(read.tools, context), exactly(reads)),
  ])
  const workflows = timesWork(nestedWork(work, context), exactly(product(sure.workflows ?? 0, all)))
  const parts: Parts = {
    questions: asks === undefined && isAble ? unlimited(addWork([asked, unknownWork])) : asked,
    continuations,
    repairs,
    reviews: addWork([
      reviews ?? unlimited(askedOnce(work, context)),
      ...(sure.reviews ?? []).map((use) =>
        timesWork(oneReview(use, work.model, context.pipeline), exactly(all)),
      ),
    ]),
    tools,
    searches,
    workflows,
  }
  return {
    parts,
    unknown: [
      ...(asks === undefined && isAble ? [`how often the stage kind ${work.uses} asks`] : []),
      ...(calls === 0
        ? []
        : unpricedServices(sure.tools, context).map((model) => `the price of ${model}`)),
      ...(reviews === undefined ? [`how often the gate of ${node.id} asks`] : []),
    ],
  }
}

/** Whether its strategy may ask a model. */
const asking = ({ kind }: KindWork): boolean => (kind.model ?? kind.run) !== undefined

/** A kind that says nothing asks once at least, if it has a strategy for a model. */
const guessed = ({ kind }: KindWork): Asks => ({
  ...(kind.model === undefined ? {} : { questions: [{ way: "text" }] }),
  searches: Infinity,
  calls: Infinity,
  workflows: Infinity,
})

/** Whether a retry sends the last reply back with its problems. */
const correctsReplies = ({ policy }: Node): boolean =>
  policy?.retries.some(({ on }) => on.includes("invalid_output")) === true

const siteOf = (
  node: Node,
  work: KindWork,
  one: Asking,
  isFirst: boolean,
  { counters, pipeline, scope }: EstimateContext,
): AskSite => ({
  models: (asking(work) ? (work.model?.choices ?? []) : []).map((choice) =>
    askedModel(
      choice,
      work.model?.options,
      pipeline.facts,
      firstRequest(one, work, node, scope, counters.get(choice.name), isFirst),
    ),
  ),
  maxTokens: work.model?.maxTokens,
  onCut: work.model?.onCut ?? "note",
  repair: work.repair ?? work.model?.repair ?? true,
  isGated: node.gate !== undefined,
})

/** One question for JSON of a request that is not known. */
const askedOnce = (work: KindWork, { pipeline }: EstimateContext): Work => {
  const models = unknownPrompt(work.model, pipeline.facts)
  const { maxTokens } = work.model ?? {}
  return askWork(
    { way: "json" },
    { models, maxTokens, onCut: "note", repair: true, isGated: false },
  ).asks
}

/** The work of the reviewers of the stage's replies; undefined if their number is not known. */
const reviewsOf = (
  node: Node,
  work: KindWork,
  questions: ReadonlyArray<AskWork>,
  attempts: number,
  asks: Asks | undefined,
  { pipeline }: EstimateContext,
): Work | undefined => {
  const written = questions.map(({ replies }) => replies).reduce(plus, exactly(0))
  // A text that is written without a model passes the gate, too.
  const isOwn =
    work.text !== undefined &&
    work.kind.mechanical !== undefined &&
    (work.model === undefined || work.model.otherwise !== "fail")
  const own: Range = { least: 0, most: isOwn ? attempts : 0 }
  const replies = plus(written, own)
  return reviewWork(
    node.gate,
    {
      replies: asks === undefined ? { least: replies.least, most: Infinity } : replies,
      showsValues: true,
      after: pipeline.reviewed.filter(({ stages }) => stages.some((one) => one.node.id === node.id))
        .length,
      changes:
        pipeline.liveTools !== undefined ||
        [...pipeline.tools.values()].some(({ tool }) => writes(tool)),
    },
    work.model,
    pipeline,
  )
}
