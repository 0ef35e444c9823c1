/** A pipeline and its inputs → what each stage will do and the most a run can take. Runs nothing. */
import type { JsonObject } from "@planloom/plugin"
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
  /** In order; empty when the kind asks no model. */
  readonly models: ReadonlyArray<string>
  readonly mechanical: boolean
  readonly prompt: PromptEstimate | undefined
  readonly examples: ExamplesEstimate | undefined
  /** Settings that the workflow says and a model is not asked with, by `provider/model`. */
  readonly leftOut: { readonly [model: string]: ReadonlyArray<string> }
  /** What `with:` can put into the prompt; undefined for a kind that asks no model. */
  readonly with: WithEstimate | undefined
  /** How often the stage can run at most, reruns and loops counted, retries not. */
  readonly occurrences: number
  /** Tries of one occurrence at most. */
  readonly attempts: number
  /** Over all occurrences and attempts, each asking every model of the alias once. */
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
  /** On top, where each reply is meant to be data and has to be mended; undefined where none is sent back. */
  readonly mending: Mending | undefined
  /** What the figures leave out, each a few words. */
  readonly unknown: ReadonlyArray<string>
  /** A list whose length only the run knows: figures are for one item of it. */
  readonly openList: string | undefined
}

/** Calls that send a reply back once: its prompt, the reply and a reply as long again. */
export interface Mending {
  readonly modelCalls: number
  readonly tokens: number
  /** US dollars; undefined when a price is not known. */
  readonly cost: number | undefined
}

/** The examples a stage's model is shown. */
export interface ExamplesEstimate {
  readonly file: string
  /** As many as there are; where not all fit, fewer are shown. */
  readonly count: number
  /** At most. */
  readonly tokens: number
  /** Whether the tokens are counted as the model counts them. */
  readonly exact: boolean
}

export interface Estimate {
  readonly stages: ReadonlyArray<StageEstimate>
  readonly finally: ReadonlyArray<StageEstimate>
  readonly worst: {
    readonly modelCalls: number
    readonly tokens: number
    readonly cost: number | undefined
    readonly mending: Mending | undefined
    /** What the figures leave out, over all stages. */
    readonly unknown: ReadonlyArray<string>
    /** Lists of unknown length that the figures count once. */
    readonly openLists: ReadonlyArray<string>
  }
}

interface Around {
  readonly pipeline: Pipeline
  readonly inputs: JsonObject
  readonly engine: Engine
}

export const estimate = (pipeline: Pipeline, inputs: JsonObject, engine: Engine): Estimate => {
  const around = { pipeline, inputs, engine }
  const stages = inBlock(pipeline.main, "", 0, 1, undefined, around)
  const last = inBlock(pipeline.finally, "", 0, 1, undefined, around)
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
      mending: together(asking.flatMap(({ mending }) => mending ?? [])),
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
  around: Around,
): ReadonlyArray<StageEstimate> =>
  block.nodes.flatMap((node, index) => {
    const path = prefix + node.id
    const items = itemsOf(node, around)
    const list = node.forEach !== undefined && items === undefined ? path : openList
    const occurrences = times * (1 + rerunsOver(block, index)) * (items ?? 1)
    const attempts = 1 + sum((node.policy?.retries ?? []).map(({ max_retries }) => max_retries))
    const own = stageEstimate(node, { path, depth, occurrences, attempts, openList: list }, around)
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
        around,
      ),
    ]
  })

type Counted = Pick<StageEstimate, "path" | "depth" | "occurrences" | "attempts" | "openList">

const stageEstimate = (
  node: Node,
  counted: Counted,
  { inputs, pipeline, engine }: Around,
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
          inputs,
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
    withEstimate(work!.with, inputs, engine, engine.counters.get(model))
  const said = {
    temperature: work?.model?.temperature,
    top_k: work?.model?.topK,
    seed: work?.model?.seed,
    stop: work?.model?.stop,
  }
  const leftOut = choices.flatMap(({ model, name, provider }) => {
    const facts = engine.factsOf(name, pipeline.facts)
    const settings = engine.leftOut(said, engine.refusedBy(facts, provider, model))
    return settings.length === 0 ? [] : [[name, settings] as const]
  })
  const times = counted.occurrences * counted.attempts
  const calls = models.map((name) => {
    const facts = engine.factsOf(name, pipeline.facts)
    const input =
      (promptAs(name)?.tokens ?? 0) + (examplesAs(name)?.tokens ?? 0) + withAs(name).tokens
    const output = engine.outputLimit(work?.model?.maxTokens, facts)
    const cost = engine.worstCost(input, output ?? 0, facts)
    // One reply of a try is sent back, to the model that gave it, behind the prompt it had.
    const sent = input + (output ?? 0)
    const mended = {
      modelCalls: times,
      tokens: times * (sent + (output ?? 0)),
      cost: timesOf(times, engine.worstCost(sent, output ?? 0, facts)),
    }
    return { name, tokens: sent, cost, mended, endless: output === undefined }
  })
  const mends = work?.repair ?? work?.model?.repair ?? true
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
    mending: mends ? dearest(calls.map(({ mended }) => mended)) : undefined,
    unknown: calls.flatMap(({ cost, endless, name }) => [
      ...(endless ? [`how long a reply of ${name} may be (say max_tokens)`] : []),
      ...(cost === undefined ? [`the price of ${name}`] : []),
    ]),
  }
}

/** What only the run knows of a stage's prompt, in a few words. */
const openText = ({ path, prompt, with: given }: StageEstimate): ReadonlyArray<string> => {
  const open = [...(prompt?.open ?? []), ...(given?.open ?? [])]
  return open.length === 0 ? [] : [`what ${open.join(", ")} of ${path} will hold`]
}

/** Items of a `for_each` as far as the inputs decide; 1 without one, undefined when only the run knows. */
const itemsOf = ({ forEach }: Node, { inputs }: Around): number | undefined => {
  if (forEach === undefined) return 1
  try {
    const list = forEach.in.evaluate({ inputs, stages: {}, run: { id: "" } })
    return Array.isArray(list) ? list.length : undefined
  } catch {
    return undefined
  }
}

/** How often assertions of a block can send the run back over this node. */
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

const dearest = (choices: ReadonlyArray<Mending>): Mending | undefined =>
  choices.length === 0
    ? undefined
    : {
        modelCalls: choices[0]!.modelCalls,
        tokens: Math.max(...choices.map(({ tokens }) => tokens)),
        cost: choices.some(({ cost }) => cost === undefined)
          ? undefined
          : Math.max(...choices.map(({ cost }) => cost!)),
      }

const together = (stages: ReadonlyArray<Mending>): Mending | undefined =>
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
