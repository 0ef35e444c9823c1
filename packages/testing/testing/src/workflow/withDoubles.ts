/** A pipeline and what a test gives → the same pipeline asking scripted models and stubbed tools. */
import { mapTools, type Stage } from "@planloom/language"
import type { Tool } from "@planloom/plugin/effect"
import { modelChoice, unsetModel, writes } from "@planloom/core/internal"
import type { Block, KindWork, Node, ResolvedModel } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"
import type { Facts } from "@planloom/plugin/facts"
import { scriptedProvider, type ScriptedProvider } from "../double/scriptedProvider.ts"
import { stubTools, type StubSource } from "../double/stubTools.ts"
import type { TestGiven, ToolStub } from "../file/WorkflowTest.ts"

export interface Doubled {
  readonly pipeline: Pipeline
  readonly models: ScriptedProvider
  readonly tools: StubSource
}

/**
 * A stage asks the script under its own id; also when it declares no model, so that a workflow that
 * does without one can be tested with one. Else it asks the script under its alias, else no model: then
 * it continues as its alias says it does without a model. A reviewer asks the script under its own id, else
 * under the model that it names, else what its stage asks. No stage and no reviewer reaches a real model.
 */
export const withDoubles = (pipeline: Pipeline, given: TestGiven): Doubled => {
  const models = scriptedProvider(given.models)
  const tools = stubTools(stubsIn(given))
  return { pipeline: doubled(pipeline, { given, models, tools, own: false }), models, tools }
}

/** Stubs the tools, and the models that have a script; the others are those of the workflow, or a cassette. */
export const withStubs = (pipeline: Pipeline, given: TestGiven): Doubled => {
  const models = scriptedProvider(given.models)
  const tools = stubTools(stubsIn(given))
  return { pipeline: doubled(pipeline, { given, models, tools, own: true }), models, tools }
}

interface Doubles extends Omit<Doubled, "pipeline"> {
  readonly given: TestGiven
  /** Whether models without a script stay the workflow's own. */
  readonly own: boolean
}

/** In one pipeline. */
interface Inside extends Doubles {
  readonly facts: Facts
}

const doubled = (pipeline: Pipeline, doubles: Doubles): Pipeline => {
  const { definition, facts } = pipeline
  const inside: Inside = { ...doubles, facts }
  const fallbackAlias = definition.defaults.model
  return {
    ...pipeline,
    ...(doubles.own && Object.keys(doubles.given.models).length === 0
      ? {}
      : {
          // A script has no rate to keep.
          ...(doubles.own ? {} : { limits: undefined }),
          main: inBlock(pipeline.main, definition.stages, fallbackAlias, inside),
          finally: inBlock(pipeline.finally, definition.finally, fallbackAlias, inside),
          reviewerModel: (reviewer, model) => {
            const named = model === undefined ? undefined : pipeline.models.named(model)
            return scripted(named, [reviewer, model], inside)
          },
        }),
    tools: stubbed(pipeline.tools, doubles),
    liveTools: liveStubs(pipeline.liveTools, doubles),
    workflows: new Map(
      [...pipeline.workflows].map(([path, inner]) => [path, doubled(inner, doubles)]),
    ),
  }
}

const stubbed = (registry: Pipeline["tools"], { given, tools }: Doubles): Pipeline["tools"] =>
  mapTools(registry, (registered) =>
    isReal(registered.tool.name, registered.tool, given)
      ? registered
      : { ...registered, source: tools, tool: withoutPreview(registered.tool) },
  )

const liveStubs = (live: Pipeline["liveTools"], doubles: Doubles): Pipeline["liveTools"] =>
  live && {
    snapshot: () => {
      const { digest, lists, problems, registry } = live.snapshot()
      return { digest, lists, problems, registry: stubbed(registry, doubles) }
    },
    recorded: (lists) => stubbed(live.recorded(lists), doubles),
  }

/** A stub computes no fields: its approvals show the params. */
const withoutPreview = ({ approval_fields: _, ...tool }: Tool): Tool => tool

/** A tool that may write runs only if the test names it: the run acts on nothing outside of its workspace unasked. */
const isReal = (name: string, tool: Tool, { tools }: TestGiven): boolean =>
  Object.hasOwn(tools, name) ? tools[name] === "real" : !writes(tool)

const stubsIn = ({ tools }: TestGiven): { readonly [tool: string]: ToolStub } =>
  Object.fromEntries(
    Object.entries(tools).filter((entry): entry is [string, ToolStub] => entry[1] !== "real"),
  )

/** Nodes stand in the order of the stages they were compiled from. */
const inBlock = (
  block: Block,
  stages: ReadonlyArray<Stage>,
  fallbackAlias: string | undefined,
  doubles: Inside,
): Block => ({
  ...block,
  nodes: block.nodes.map((node, index): Node => {
    const stage = stages[index]!
    const { work } = node
    return {
      ...node,
      work:
        work.type === "block"
          ? { ...work, block: inBlock(work.block, stage.stages ?? [], fallbackAlias, doubles) }
          : inWork(work, stage.id, stage.model ?? fallbackAlias, doubles),
      fallback:
        node.fallback === undefined
          ? undefined
          : inWork(node.fallback, stage.id, stage.fallback?.model ?? fallbackAlias, doubles),
    }
  }),
})

const inWork = (
  work: KindWork,
  stage: string,
  alias: string | undefined,
  doubles: Inside,
): KindWork => {
  const model = scripted(work.model, [stage, alias], doubles)
  return model === undefined ? work : { ...work, model }
}

/** The model with the script of the first name that has one; undefined without a model and a script. */
const scripted = (
  model: ResolvedModel | undefined,
  names: ReadonlyArray<string | undefined>,
  { facts, given, models, own }: Inside,
): ResolvedModel | undefined => {
  const script = names.find((name) => name !== undefined && Object.hasOwn(given.models, name))
  if (script === undefined && (own || model === undefined)) return model
  return {
    ...unsetModel,
    ...model,
    choices: script === undefined ? [] : [modelChoice(`${models.id}/${script}`, models, facts)],
  }
}
