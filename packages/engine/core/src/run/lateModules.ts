/** Modules of the engine that only some workflows use: loaded with such a workflow, so that its runs never wait for one. */
import * as Effect from "effect/Effect"
import { loadedOnce } from "@planloom/plugin/late"
import { hooksModule } from "../hook/CallHooks.ts"
import type { Block, Node, Pipeline } from "../pipeline/Pipeline.ts"

/** A fifth of the engine. */
export const asksModule = loadedOnce(() => import("./stage/attempt/ModelAsks.ts"))
export const toolModule = loadedOnce(() => import("../tool/callTool.ts"))
export const paramsModule = loadedOnce(() => import("../tool/callParams.ts"))
export const documentsModule = loadedOnce(() => import("./stage/attempt/Documents.ts"))
export const reviewModule = loadedOnce(() => import("./stage/attempt/reviewText.ts"))
export const ownTextModule = loadedOnce(() => import("./parts/ownText.ts"))
export const correctionsModule = loadedOnce(() => import("./parts/correctOutputs.ts"))
export const shownModule = loadedOnce(() => import("./shown/reviewShown.ts"))
export const imageFilesModule = loadedOnce(() => import("../model/ImageFiles.ts"))
export const randomModule = loadedOnce(() => import("effect/Random"))

const nodesOf = ({ nodes }: Block): ReadonlyArray<Node> =>
  nodes.flatMap((node) =>
    node.work.type === "block" ? [node, ...nodesOf(node.work.block)] : [node],
  )

const uses = (pipeline: Pipeline): ReadonlyArray<Effect.Effect<unknown>> => {
  const nodes = [...nodesOf(pipeline.main), ...nodesOf(pipeline.finally)]
  const asks = nodes.some(
    ({ fallback, work }) =>
      fallback?.model !== undefined || (work.type === "kind" && work.model !== undefined),
  )
  const gatesRules = nodes.some(
    ({ gate, work }) =>
      gate !== undefined && work.type === "kind" && work.kind.mechanical !== undefined,
  )
  const jitters = nodes.some(({ policy }) => policy?.retries.some(({ jitter }) => jitter))
  return [
    ...(asks ? [asksModule()] : []),
    ...(pipeline.tools.size > 0 ? [toolModule(), paramsModule()] : []),
    ...(pipeline.documents.size > 0 ? [documentsModule()] : []),
    ...([pipeline, ...nodes].some(({ hooks }) => hooks !== undefined) ? [hooksModule()] : []),
    ...(pipeline.isGated ? [shownModule()] : []),
    ...(gatesRules ? [ownTextModule()] : []),
    ...(pipeline.reviewed.length > 0 ? [correctionsModule()] : []),
    ...(jitters ? [randomModule()] : []),
    ...[...pipeline.workflows.values()].flatMap(uses),
  ]
}

/** Loads what runs of the pipeline may use. */
export const loadModules = (pipeline: Pipeline): Effect.Effect<void> =>
  Effect.suspend(() => Effect.all(uses(pipeline), { discard: true, concurrency: "unbounded" }))
