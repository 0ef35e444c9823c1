/** Estimates one stage: its models, its prompt, and the maximum over all its attempts. */
import type { ExpressionScope } from "@planloom/expression"
import {
  factsOf,
  omittedSettings,
  outputLimit,
  unsupportedSettings,
  worstCost,
} from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { Node } from "@planloom/core/internal"
import type { TokenCounter } from "@planloom/prompt/tokens"
import { exampleTokens } from "@planloom/prompt"
import type { ExamplesEstimate, RepairEstimate, StageEstimate } from "./Estimate.ts"
import { promptEstimate } from "./promptEstimate.ts"
import { sum } from "./sum.ts"
import { withEstimate } from "./withEstimate.ts"

export interface Context {
  readonly pipeline: Pipeline
  /** What is known before the run. */
  readonly scope: ExpressionScope
  /** By `provider/model`; other models are estimated. */
  readonly counters: ReadonlyMap<string, TokenCounter>
}

type Counted = Pick<StageEstimate, "path" | "depth" | "occurrences" | "attempts" | "openList">

export const stageEstimate = (
  node: Node,
  counted: Counted,
  { scope, pipeline, counters }: Context,
): Omit<StageEstimate, "needs"> => {
  const work = node.work.type === "kind" ? node.work : undefined
  const asks = work?.model !== undefined && (work.kind.model ?? work.kind.run) !== undefined
  const choices = asks ? work.model!.choices : []
  const models = work?.kind.model === undefined ? [] : choices.map(({ name }) => name)
  const promptAs = (model: string | undefined) =>
    work?.prompt === undefined
      ? undefined
      : promptEstimate(work.prompt, scope, model === undefined ? undefined : counters.get(model))
  const examplesAs = (model: string | undefined): ExamplesEstimate | undefined => {
    if (work?.examples === undefined) return undefined
    const counter = model === undefined ? undefined : counters.get(model)
    return {
      file: work.examples.file,
      count: work.examples.examples.length,
      tokens: exampleTokens(work.examples, counter),
      exact: counter?.exact === true,
    }
  }
  const withAs = (model: string) => withEstimate(work!.with, scope, counters.get(model))
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
  const times = counted.occurrences * counted.attempts
  const calls = models.map((name) => {
    const facts = factsOf(name, pipeline.facts)
    const input =
      (promptAs(name)?.tokens ?? 0) + (examplesAs(name)?.tokens ?? 0) + withAs(name).tokens
    const output = outputLimit(work?.model?.maxTokens, facts)
    const cost = worstCost(input, output ?? 0, facts)
    // One reply per attempt is sent back to its model, after the same prompt.
    const sent = input + (output ?? 0)
    const repaired = {
      modelCalls: times,
      tokens: times * (sent + (output ?? 0)),
      cost: timesOf(times, worstCost(sent, output ?? 0, facts)),
    }
    return { name, tokens: sent, cost, repaired, endless: output === undefined }
  })
  const repairing = work?.repair ?? work?.model?.repair ?? true
  return {
    ...counted,
    node,
    work,
    models,
    mechanical: work !== undefined && work.kind.mechanical !== undefined,
    prompt: promptAs(models[0]),
    examples: examplesAs(models[0]),
    leftOut: Object.fromEntries(leftOut),
    with: models[0] === undefined ? undefined : withAs(models[0]),
    modelCalls: times * calls.length,
    tokens: times * sum(calls.map(({ tokens }) => tokens)),
    cost: calls.some(({ cost }) => cost === undefined)
      ? undefined
      : times * sum(calls.map(({ cost }) => cost!)),
    repairs: repairing ? mostExpensive(calls.map(({ repaired }) => repaired)) : undefined,
    unknown: calls.flatMap(({ cost, endless, name }) => [
      ...(endless ? [`the reply length of ${name} (set max_tokens)`] : []),
      ...(cost === undefined ? [`the price of ${name}`] : []),
    ]),
  }
}

const timesOf = (times: number, cost: number | undefined) =>
  cost === undefined ? undefined : times * cost

const mostExpensive = (choices: ReadonlyArray<RepairEstimate>): RepairEstimate | undefined =>
  choices.length === 0
    ? undefined
    : {
        modelCalls: choices[0]!.modelCalls,
        tokens: Math.max(...choices.map(({ tokens }) => tokens)),
        cost: choices.some(({ cost }) => cost === undefined)
          ? undefined
          : Math.max(...choices.map(({ cost }) => cost!)),
      }
