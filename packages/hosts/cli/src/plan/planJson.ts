/** Formats an estimate as JSON; the names are stable. */
import { dollars } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { Estimate, Parts, Range, StageEstimate, Work } from "@planloom/estimate"

export const planJson = (
  pipeline: Pipeline,
  { finally: last, session, stages, worst }: Estimate,
): string =>
  JSON.stringify(
    {
      workflow: pipeline.name,
      timeout: pipeline.timeout,
      budget: pipeline.budget,
      embeddings: pipeline.definition.embeddings,
      stages: stages.map(stageJson),
      finally: last.map(stageJson),
      session: session.map(stageJson),
      worst: {
        ...workJson(worst.total),
        parts: partsJson(worst.parts),
        unknown: worst.unknown,
        open_lists: worst.openLists,
      },
    },
    null,
    2,
  )

/** `at_most` is null where no upper limit is known. */
const rangeJson = ({ least, most }: Range) => ({
  at_least: least,
  at_most: Number.isFinite(most) ? most : null,
})

const workJson = ({ calls, cost, refusals, tokens, toolCalls }: Work) => ({
  model_calls: rangeJson(calls),
  tokens: rangeJson(tokens),
  cost_usd: cost && rangeJson({ least: dollars(cost.least), most: dollars(cost.most) }),
  tool_calls: toolCalls.most === 0 ? undefined : rangeJson(toolCalls),
  refused_requests: refusals.most === 0 ? undefined : rangeJson(refusals),
})

const partsJson = (parts: Parts) =>
  Object.fromEntries(Object.entries(parts).map(([purpose, work]) => [purpose, workJson(work)]))

const stageJson = ({ node, work, ...stage }: StageEstimate) => ({
  path: stage.path,
  uses: work?.uses,
  needs: stage.needs,
  if: node.condition?.source,
  models: stage.models,
  mechanical: stage.mechanical,
  prompt: stage.prompt,
  examples: stage.examples,
  with: stage.with,
  left_out: stage.leftOut,
  near_window: stage.near.length === 0 ? undefined : stage.near,
  timeout: node.policy?.timeout,
  occurrences: stage.occurrences,
  attempts: stage.attempts,
  ...workJson(stage.total),
  parts: partsJson(stage.parts),
  unknown: stage.unknown,
  open_list: stage.openList,
})
