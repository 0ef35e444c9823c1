/** Formats an estimate as JSON; the names are stable. */
import { dollars } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { Estimate, StageEstimate } from "@planloom/estimate"

export const planJson = (pipeline: Pipeline, { finally: last, stages, worst }: Estimate): string =>
  JSON.stringify(
    {
      workflow: pipeline.name,
      timeout: pipeline.timeout,
      budget: pipeline.budget,
      embeddings: pipeline.definition.embeddings,
      stages: stages.map(stageJson),
      finally: last.map(stageJson),
      worst,
    },
    (key, value: unknown) =>
      (key === "cost" || key === "cost_usd") && typeof value === "number" ? dollars(value) : value,
    2,
  )

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
  timeout: node.policy?.timeout,
  occurrences: stage.occurrences,
  attempts: stage.attempts,
  model_calls: stage.modelCalls,
  tokens: stage.tokens,
  cost_usd: stage.cost,
  repairs: stage.repairs,
  unknown: stage.unknown,
  open_list: stage.openList,
})
