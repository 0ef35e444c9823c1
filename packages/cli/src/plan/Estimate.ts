/** Computes what each stage of a pipeline will do, and the maximum calls, tokens and cost of a run. Runs nothing. */
import type { ExpressionScope } from "@planloom/expression"
import type { Block, KindWork, Node } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"
import { withEstimate, type WithEstimate } from "./withEstimate.ts"
import { promptEstimate, type Engine, type PromptEstimate } from "./promptEstimate.ts"

export interface StageEstimate {
  /** `work/results`. */
  readonly path: string
  readonly depth: number
  readonly node: Node
  /** Ids it waits for when the block is a graph. */
  readonly needs: ReadonlyArray<string> | undefined
  readonly work: KindWork | undefined
  /** In order; empty if the stage kind calls no model. */
  readonly models: ReadonlyArray<string>
  readonly mechanical: boolean
  readonly prompt: PromptEstimate | undefined
  readonly examples: ExamplesEstimate | undefined
  /** Settings of the workflow that are not sent to a model, by `provider/model`. */
  readonly leftOut: { readonly [model: string]: ReadonlyArray<string> }
  /** Tokens that `with:` can add to the prompt; undefined if the stage kind calls no model. */
  readonly with: WithEstimate | undefined
  /** Maximum number of occurrences, with reruns and loops, without retries. */
  readonly occurrences: number
  /** Maximum number of attempts per occurrence. */
  readonly attempts: number
  /** Over all occurrences and attempts, each of which calls every model of the alias once. */
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
  /** Additional calls if every reply must be data and needs repair; undefined if no reply is repaired. */
  readonly repairs: RepairEstimate | undefined
  /** Short descriptions of what the figures exclude. */
  readonly unknown: ReadonlyArray<string>
  /** A list whose length is unknown before the run; the figures are per item. */
  readonly openList: string | undefined
}

/** Repair calls, one per reply: the prompt, the reply, and a new reply of the same length. */
export interface RepairEstimate {
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
}

/** The examples in a stage's prompt. */
export interface ExamplesEstimate {
  readonly file: string
  /** Number of examples; fewer are shown if not all fit. */
  readonly count: number
  /** Maximum. */
  readonly tokens: number
  /** Whether the model's own tokenizer counted the tokens. */
  readonly exact: boolean
}

export interface Estimate {
  readonly stages: ReadonlyArray<StageEstimate>
  readonly finally: ReadonlyArray<StageEstimate>
  readonly worst: {
    readonly modelCalls: number
    readonly tokens: number
    readonly cost: number | undefined
    readonly repairs: RepairEstimate | undefined
    /** What the figures of all stages exclude. */
    readonly unknown: ReadonlyArray<string>
    /** Lists of unknown length that the figures count once. */
    readonly openLists: ReadonlyArray<string>
  }
}

interface Context {
  readonly pipeline: Pipeline
  /** What is known before the run. */
  readonly scope: ExpressionScope
  readonly engine: Engine
}

export const estimate = (pipeline: Pipeline, scope: ExpressionScope, engine: Engine): Estimate => {
  const context = { pipeline, scope, engine }
  const stages = inBlock(pipeline.main, "", 0, 1, undefined, context)
  const last = inBlock(pipeline.finally, "", 0, 1, undefined, context)
  const all = [...stages, ...last]
  const asking = all.filter(({ modelCalls }) => modelCalls > 0)
  return {
    stages,
    finally: last,
    worst: {
      modelCalls: sum(asking.map(({ modelCalls }) => modelCalls)),
      tokens: sum(asking.map(({ tokens }) => tokens)),
      cost: asking.some(({ cost }) => cost === undefined)
        ? undefined
        : sum(asking.map(({ cost }) => cost!)),
      repairs: sumRepairs(asking.flatMap(({ repairs }) => repairs ?? [])),
      unknown: [...new Set(asking.flatMap(({ unknown }) => unknown)), ...asking.flatMap(openText)],
      openLists: [...new Set(asking.flatMap(({ openList }) => openList ?? []))],
    },
  }
}

const inBlock = (
  block: Block,
  prefix: string,
  depth: number,
  times: number,
  openList: string | undefined,
  context: Context,
): ReadonlyArray<StageEstimate> =>
  block.nodes.flatMap((node, index) => {
    const path = prefix + node.id
    const items = itemsOf(node, context)
    const list = node.forEach !== undefined && items === undefined ? path : openList
    const occurrences = times * (1 + rerunsOver(block, index)) * (items ?? 1)
    const attempts = 1 + sum((node.policy?.retries ?? []).map(({ max_retries }) => max_retries))
    const own = stageEstimate(node, { path, depth, occurrences, attempts, openList: list }, context)
    const needs = block.needs?.[index]?.map((other) => block.nodes[other]!.id)
    if (node.work.type === "kind") return [{ ...own, needs }]
    const rounds = node.work.repeat?.maxIterations ?? 1
    return [
      { ...own, needs },
      ...inBlock(
        node.work.block,
        `${path}/`,
        depth + 1,
        occurrences * attempts * rounds,
        list,
        context,
      ),
    ]
  })

type Counted = Pick<StageEstimate, "path" | "depth" | "occurrences" | "attempts" | "openList">

const stageEstimate = (
  node: Node,
  counted: Counted,
  { scope, pipeline, engine }: Context,
): Omit<StageEstimate, "needs"> => {
  const work = node.work.type === "kind" ? node.work : undefined
  const asks = work?.model !== undefined && (work.kind.model ?? work.kind.run) !== undefined
  const choices = asks ? work.model!.choices : []
  const models = work?.kind.model === undefined ? [] : choices.map(({ name }) => name)
  const promptAs = (model: string | undefined) =>
    work?.prompt === undefined
      ? undefined
      : promptEstimate(
          work.prompt,
          scope,
          engine,
          model === undefined ? undefined : engine.counters.get(model),
        )
  const examplesAs = (model: string | undefined): ExamplesEstimate | undefined => {
    if (work?.examples === undefined) return undefined
    const counter = model === undefined ? undefined : engine.counters.get(model)
    return {
      file: work.examples.file,
      count: work.examples.examples.length,
      tokens: engine.exampleTokens(work.examples, counter),
      exact: counter?.exact === true,
    }
  }
  const withAs = (model: string) =>
    withEstimate(work!.with, scope, engine, engine.counters.get(model))
  const said = {
    temperature: work?.model?.temperature,
    top_k: work?.model?.topK,
    seed: work?.model?.seed,
    stop: work?.model?.stop,
  }
  const leftOut = choices.flatMap(({ model, name, provider }) => {
    const facts = engine.factsOf(name, pipeline.facts)
    const settings = engine.omittedSettings(
      said,
      engine.unsupportedSettings(facts, provider, model),
    )
    return settings.length === 0 ? [] : [[name, settings] as const]
  })
  const times = counted.occurrences * counted.attempts
  const calls = models.map((name) => {
    const facts = engine.factsOf(name, pipeline.facts)
    const input =
      (promptAs(name)?.tokens ?? 0) + (examplesAs(name)?.tokens ?? 0) + withAs(name).tokens
    const output = engine.outputLimit(work?.model?.maxTokens, facts)
    const cost = engine.worstCost(input, output ?? 0, facts)
    // One reply per attempt is sent back to its model, after the same prompt.
    const sent = input + (output ?? 0)
    const repaired = {
      modelCalls: times,
      tokens: times * (sent + (output ?? 0)),
      cost: timesOf(times, engine.worstCost(sent, output ?? 0, facts)),
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

/** Describes the parts of a stage's prompt that are unknown before the run. */
const openText = ({ path, prompt, with: given }: StageEstimate): ReadonlyArray<string> => {
  const open = [...(prompt?.open ?? []), ...(given?.open ?? [])]
  return open.length === 0 ? [] : [`the content of ${open.join(", ")} in ${path}`]
}

/** Number of items of a `for_each`, computed from the inputs; 1 without one, undefined if unknown before the run. */
const itemsOf = ({ forEach }: Node, { scope }: Context): number | undefined => {
  if (forEach === undefined) return 1
  try {
    const list = forEach.in.evaluate(scope)
    return Array.isArray(list) ? list.length : undefined
  } catch {
    return undefined
  }
}

/** Maximum number of reruns of this node by assertions of its block. */
const rerunsOver = (block: Block, index: number): number =>
  sum(
    block.nodes.flatMap((node, asserting) =>
      node.assertions.flatMap(({ rerun }) =>
        rerun !== undefined &&
        (block.needs === undefined
          ? rerun.node <= index && index <= asserting
          : waitsFor(block.needs, index, rerun.node) && waitsFor(block.needs, asserting, index))
          ? [rerun.max]
          : [],
      ),
    ),
  )

const waitsFor = (
  needs: ReadonlyArray<ReadonlyArray<number>>,
  node: number,
  other: number,
): boolean => node === other || needs[node]!.some((before) => waitsFor(needs, before, other))

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

const sumRepairs = (stages: ReadonlyArray<RepairEstimate>): RepairEstimate | undefined =>
  stages.length === 0
    ? undefined
    : {
        modelCalls: sum(stages.map(({ modelCalls }) => modelCalls)),
        tokens: sum(stages.map(({ tokens }) => tokens)),
        cost: stages.some(({ cost }) => cost === undefined)
          ? undefined
          : sum(stages.map(({ cost }) => cost!)),
      }

const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, value) => total + value, 0)
