/** Estimates one stage: its models, its prompt, and the maximum over all its attempts. */
import { factsOf, omittedSettings, outputLimit, unsupportedSettings } from "@planloom/plugin/facts"
import type { Node } from "@planloom/core/internal"
import { exampleTokens } from "@planloom/prompt"
import { purposes, type ExamplesEstimate, type Parts, type StageEstimate } from "./Estimate.ts"
import type { EstimateContext } from "./EstimateContext.ts"
import { kindWork, type KindWorkEstimate } from "./kindWork.ts"
import { nearWindow } from "./nearWindow.ts"
import { promptEstimate } from "./promptEstimate.ts"
import { addWork, noWork, unlimited, type Work } from "./Work.ts"
import { withEstimate } from "./withEstimate.ts"

type Counted = Pick<StageEstimate, "path" | "depth" | "attempts" | "openList"> & {
  /** Occurrences without those after an assertion. */
  readonly fresh: number
  readonly reruns: number
}

export const stageEstimate = (
  node: Node,
  { fresh, reruns, ...counted }: Counted,
  context: EstimateContext,
): Omit<StageEstimate, "needs"> => {
  const { counters, pipeline, scope } = context
  const work = node.work.type === "kind" ? node.work : undefined
  const choices =
    work?.model !== undefined && (work.kind.model ?? work.kind.run) !== undefined
      ? work.model.choices
      : []
  const models = work?.kind.model === undefined ? [] : choices.map(({ name }) => name)
  const [first] = models
  const counter = first === undefined ? undefined : counters.get(first)
  const examples: ExamplesEstimate | undefined = work?.examples && {
    file: work.examples.file,
    count: work.examples.examples.length,
    tokens: exampleTokens(work.examples, counter),
    exact: counter?.exact === true,
  }
  const said = {
    temperature: work?.model?.temperature,
    top_k: work?.model?.topK,
    seed: work?.model?.seed,
    stop: work?.model?.stop,
  }
  const leftOut = choices.flatMap(({ model, name, provider }) => {
    const facts = factsOf(name, pipeline.facts)
    const reasoning = work?.model?.reasoning
    const settings = omittedSettings(said, unsupportedSettings(facts, provider, model, reasoning))
    return settings.length === 0 ? [] : [[name, settings] as const]
  })
  const prompt = work?.prompt && promptEstimate(work.prompt, scope, counter)
  const given = first === undefined ? undefined : withEstimate(work!.with, scope, counter)
  const known = (prompt?.tokens ?? 0) + (examples?.tokens ?? 0) + (given?.tokens ?? 0)
  const { attempts, openList } = counted
  const asked =
    work === undefined
      ? nothing
      : kindWork(
          node,
          work,
          { first: fresh, retries: fresh * (attempts - 1), reruns: reruns * attempts },
          context,
        )
  // A fallback has one attempt.
  const instead =
    node.fallback === undefined
      ? nothing
      : kindWork(node, node.fallback, { first: fresh, retries: 0, reruns }, context)
  const parts = happening({ ...asked.parts, fallback: totalOf(instead.parts) }, openList)
  const total = totalOf(parts)
  const called =
    total.calls.most === 0 ? [] : [...choices, ...(node.fallback?.model?.choices ?? [])]
  return {
    ...counted,
    occurrences: fresh + reruns,
    node,
    work,
    models,
    mechanical: work !== undefined && work.kind.mechanical !== undefined,
    prompt,
    examples,
    leftOut: Object.fromEntries(leftOut),
    with: given,
    near: work?.kind.model === undefined ? [] : nearWindow(work, known, pipeline),
    total,
    parts,
    unknown: [
      ...new Set([
        ...asked.unknown,
        ...instead.unknown,
        ...called.flatMap(({ name }) => {
          const facts = factsOf(name, pipeline.facts)
          return [
            ...(outputLimit(work?.model?.maxTokens, facts) === undefined
              ? [`the reply length of ${name} (set max_tokens)`]
              : []),
            ...(facts?.price === undefined ? [`the price of ${name}`] : []),
          ]
        }),
      ]),
    ],
  }
}

const nothing: KindWorkEstimate = { parts: {}, unknown: [] }

export const totalOf = (parts: Parts): Work =>
  addWork(purposes.flatMap((purpose) => parts[purpose] ?? []))

/** Without the parts that do not happen. Of a list of unknown length, no upper limit is known. */
const happening = (parts: Parts, openList: string | undefined): Parts =>
  Object.fromEntries(
    purposes.flatMap((purpose) => {
      const work = parts[purpose] ?? noWork
      if (work.calls.most === 0 && work.toolCalls.most === 0) return []
      return [[purpose, openList === undefined ? work : unlimited(work)] as const]
    }),
  )
