/** Compares two versions of a workflow stage by stage, and computes what a recorded run must run again. */
import { isDeepStrictEqual } from "node:util"
import type { LoadedWorkflow } from "@planloom/core"
import type { Block, Node } from "@planloom/core/internal"
import { documentParams, effectiveEvents, isEnd } from "@planloom/core/internal"
import { resetTo, resetFinally, mergeResets, type Recorded, type Reset } from "./Reset.ts"
import { failedStage } from "./resetFrom.ts"

type Stage = LoadedWorkflow["definition"]["stages"][number]

/** A part of a stage. A changed `policy` (timeout, retry, budget, concurrency) leaves recorded steps valid. */
export type StagePart =
  | "kind"
  | "with"
  | "examples"
  | "prompt"
  | "model"
  | "flow"
  | "workflow"
  | "policy"

export interface StageChange {
  readonly stage: string
  readonly change: "added" | "removed" | "changed"
  /** The parts that changed; empty for an added or removed stage. */
  readonly parts: ReadonlyArray<StagePart>
  /** Whether the stage's recorded steps become void. */
  readonly invalidates: boolean
}

/** Returns the changed stages in the order of the newer workflow; removed stages come last. */
export const stageChanges = (
  before: LoadedWorkflow,
  after: LoadedWorkflow,
): ReadonlyArray<StageChange> => {
  const old = stagesOf(before)
  const now = stagesOf(after)
  const changes: Array<StageChange> = []
  for (const [stage, parts] of now) {
    const earlier = old.get(stage)
    if (earlier === undefined) {
      changes.push({ stage, change: "added", parts: [], invalidates: false })
      continue
    }
    const different = (Object.keys(parts) as ReadonlyArray<StagePart>).filter(
      (part) => !isDeepStrictEqual(parts[part], earlier[part]),
    )
    if (different.length === 0) continue
    const invalidates = different.some((part) => part !== "policy")
    changes.push({ stage, change: "changed", parts: different, invalidates })
  }
  for (const stage of old.keys()) {
    if (!now.has(stage)) changes.push({ stage, change: "removed", parts: [], invalidates: true })
  }
  return changes
}

type Parts = { readonly [part in StagePart]: unknown }

const stagesOf = (workflow: LoadedWorkflow): ReadonlyMap<string, Parts> => {
  const { definition, pipeline } = workflow
  const found = new Map<string, Parts>()
  const visit = (stages: ReadonlyArray<Stage>, { nodes }: Block): void => {
    for (const [index, stage] of stages.entries()) {
      const node = nodes[index]!
      found.set(stage.id, partsOf(workflow, stage, node))
      if (stage.stages !== undefined && node.work.type === "block") {
        visit(stage.stages, node.work.block)
      }
    }
  }
  visit(definition.stages, pipeline.main)
  visit(definition.finally, pipeline.finally)
  return found
}

const partsOf = (workflow: LoadedWorkflow, stage: Stage, { policy, work }: Node): Parts => {
  const { definition, modes, pipeline, resources } = workflow
  const named = stage.model ?? definition.defaults.model
  const mode = stage.prompt?.mode
  const nested = work.type === "kind" ? work.workflows : []
  return {
    kind: [stage.uses, stage.output],
    with: work.type === "kind" && work.documents ? [stage.with, definition.documents] : stage.with,
    examples: stage.examples && [
      stage.examples,
      resources.examples?.get(stage.examples.file)?.examples,
    ],
    prompt: stage.prompt && [
      stage.prompt,
      resources.prompts.get(stage.prompt.use)?.text,
      mode === undefined ? [] : [modes, [...resources.sections.values()].map(({ text }) => text)],
      definition.documents,
    ],
    model: named && [named, Object.hasOwn(definition.models, named) && definition.models[named]],
    flow: [
      stage.if,
      stage.for_each && { ...stage.for_each, max_parallel: 0 },
      stage.repeat,
      stage.branch,
      stage.assert,
      stage.on_error,
      stage.fallback,
      stage.needs,
    ],
    workflow: nested.map((path) => pipeline.workflows.get(path)?.definition),
    policy,
  }
}

/** Returns the first changed input that one of these stages reads. */
export const changedInputReadBy = (
  workflow: LoadedWorkflow,
  stages: ReadonlySet<string>,
  names: ReadonlySet<string>,
): { readonly stage: string; readonly input: string } | undefined => {
  for (const [stage, references] of readings(workflow)) {
    if (!stages.has(stage)) continue
    for (const [root, input] of references) {
      if (root !== "inputs") continue
      // `inputs` as a whole reads all of them.
      const read = input === undefined ? [...names][0] : names.has(input) ? input : undefined
      if (read !== undefined) return { stage, input: read }
    }
  }
  return undefined
}

type References = ReadonlyArray<ReadonlyArray<string>>

const readings = ({ pipeline }: LoadedWorkflow): ReadonlyMap<string, References> => {
  const found = new Map<string, References>()
  const visit = ({ nodes }: Block): void => {
    for (const node of nodes) {
      const own = referencesOf(node)
      found.set(node.id, [...own, ...documentParams(pipeline, own)])
      if (node.work.type === "block") visit(node.work.block)
    }
  }
  visit(pipeline.main)
  visit(pipeline.finally)
  return found
}

const referencesOf = ({ assertions, condition, fallback, forEach, work }: Node): References => {
  const kinds = [work, fallback].flatMap((one) => (one?.type === "kind" ? [one] : []))
  return [
    condition,
    forEach?.in,
    ...assertions.flatMap(({ message, that }) => [that, message]),
    ...(work.type === "block"
      ? [
          work.branch?.on,
          work.repeat?.carry,
          work.repeat?.until,
          work.repeat?.next,
          work.repeat?.iterations,
        ]
      : []),
    ...kinds.flatMap(({ conditions, prompt, with: given }) => [
      given,
      ...conditions.values(),
      // A stage kind may choose another mode for a call.
      ...(prompt === undefined ? [] : [prompt.alone, ...prompt.modes.values()]).flatMap(
        ({ sections }) => sections.flatMap(({ text }) => (typeof text === "string" ? [] : [text])),
      ),
    ]),
  ].flatMap((compiled) => compiled?.references ?? [])
}

/** Computes what runs again when a run continues with the newer workflow. Undefined when the whole record stays valid. */
export const outdated = (
  { pipeline }: LoadedWorkflow,
  recorded: Recorded,
  changes: ReadonlyArray<StageChange>,
): Reset | undefined => {
  const changed = new Set(changes.flatMap(({ invalidates, stage }) => (invalidates ? [stage] : [])))
  const failed = failedStage(recorded.events)
  const paths = new Set([
    ...(failed === undefined ? [] : [failed]),
    ...effectiveEvents(recorded.events).flatMap((event) =>
      event.type === "StageStarted" && changed.has(event.stage) ? [event.path] : [],
    ),
  ])
  const resets = [...paths].flatMap((path) => resetTo(pipeline, recorded, path) ?? [])
  if (resets.length > 0) return mergeResets(resets)
  // The run failed as a whole; the newer workflow may not fail.
  return recorded.events.findLast(isEnd)?.type === "RunFailed"
    ? resetFinally(pipeline, recorded)
    : undefined
}
