/** What must come before what, by the flow of data: rules a plan can break with every step in place. */
import { SOURCE } from "./Plan.ts"
import type { Step } from "./Plan.ts"
import { ancestorsOf } from "./planGraph.ts"
import type { Requirement } from "./Requirement.ts"
import { needsAggregate, serves, specialitiesOf } from "./serves.ts"
import type { Situation } from "./serves.ts"
import { can, drawsChart, findTool, namesIn } from "./Tool.ts"
import type { Tool } from "./Tool.ts"

export interface Disorder {
  readonly code: "aggregate_before_plot" | "filter_before_use" | "limit_before_plot"
  /** The step that comes too early. */
  readonly step: string
  /** The step that should come before it, if the plan has one. */
  readonly before?: string
  readonly requirement: string
  readonly message: string
}

type Served = ReadonlyMap<string, ReadonlyArray<Step>>

/** Steps that fulfil each requirement, by its id. */
const fulfilling = (requirements: ReadonlyArray<Requirement>, situation: Situation): Served =>
  new Map(
    requirements.map((requirement) => [
      requirement.id,
      situation.plan.steps.filter((step) => serves(requirement, step, situation).how === "fulfils"),
    ]),
  )

const comesAfter = (step: Step, candidates: ReadonlyArray<Step>, { plan }: Situation) => {
  const above = ancestorsOf(plan, step)
  return candidates.some((candidate) => candidate === step || above.includes(candidate))
}

/** Whether this chart shows what the requirement divides by. */
const shows = (requirement: Requirement, tool: Tool, step: Step, { requirements }: Situation) => {
  const shown = namesIn(tool, step.params, ["x", "color", "facet"])
  if (requirement.kind === "group_by") return shown.includes(requirement.label)
  return requirement.kind === "time" && shown.includes(requirements.time.column)
}

const beforePlots = (
  requirement: Requirement,
  candidates: ReadonlyArray<Step>,
  step: Step,
  tool: Tool,
  situation: Situation,
): ReadonlyArray<Disorder> => {
  if (!needsAggregate(tool) || !shows(requirement, tool, step, situation)) return []
  const real = candidates.filter((one) => {
    const by = findTool(situation.tools, one.tool)
    return by !== undefined && !drawsChart(by)
  })
  // With no grain asked for, raw rows over time are a fair chart.
  if (requirement.kind === "time" && situation.requirements.time.grain === "unknown") return []
  if (comesAfter(step, real, situation)) return []
  return [
    {
      code: "aggregate_before_plot",
      step: step.id,
      ...(real[0] === undefined ? {} : { before: real[0].id }),
      requirement: requirement.id,
      message: `${step.id} draws ${requirement.label} before anything groups by it`,
    },
  ]
}

const beforeUse = (
  requirement: Requirement,
  candidates: ReadonlyArray<Step>,
  step: Step,
  tool: Tool,
  situation: Situation,
): ReadonlyArray<Disorder> => {
  const prepares = can(tool, "filter", "parse_datetime", "datetime")
  if (prepares || !Object.values(tool.inputs).includes("table")) return []
  if (candidates.length === 0 || comesAfter(step, candidates, situation)) return []
  return [
    {
      code: "filter_before_use",
      step: step.id,
      ...(candidates[0] === undefined ? {} : { before: candidates[0].id }),
      requirement: requirement.id,
      message: `${step.id} works on rows that ${requirement.label} should have left out`,
    },
  ]
}

const beforeLimit = (
  requirement: Requirement,
  candidates: ReadonlyArray<Step>,
  step: Step,
  tool: Tool,
  situation: Situation,
): ReadonlyArray<Disorder> => {
  const draws = drawsChart(tool) && specialitiesOf(tool).length === 0
  if (!draws || candidates.length === 0 || comesAfter(step, candidates, situation)) return []
  return [
    {
      code: "limit_before_plot",
      step: step.id,
      ...(candidates[0] === undefined ? {} : { before: candidates[0].id }),
      requirement: requirement.id,
      message: `${step.id} draws more than the ${requirement.label}`,
    },
  ]
}

/** A limit must cut what was grouped, not the raw rows. */
const limitAfterGroups = (
  requirement: Requirement,
  served: Served,
  situation: Situation,
): ReadonlyArray<Disorder> => {
  const groups = situation.requirements.group_by.flatMap(
    (label) => served.get(`group_by:${label}`) ?? [],
  )
  const [first] = groups
  if (first === undefined) return []
  return (served.get(requirement.id) ?? [])
    .filter((step) => !comesAfter(step, groups, situation))
    .map((step) => ({
      code: "limit_before_plot",
      step: step.id,
      before: first.id,
      requirement: requirement.id,
      message: `${step.id} cuts off rows before they are grouped`,
    }))
}

/** Every place where the data flows in the wrong order, in the order of the plan's steps. */
export const ordering = (
  requirements: ReadonlyArray<Requirement>,
  situation: Situation,
): ReadonlyArray<Disorder> => {
  const served = fulfilling(requirements, situation)
  const perStep = situation.plan.steps.flatMap((step) => {
    const tool = findTool(situation.tools, step.tool)
    if (tool === undefined || step.id === SOURCE) return []
    return requirements.flatMap((requirement) => {
      const candidates = served.get(requirement.id) ?? []
      switch (requirement.kind) {
        case "group_by":
        case "time":
          return beforePlots(requirement, candidates, step, tool, situation)
        case "filter":
          return beforeUse(requirement, candidates, step, tool, situation)
        case "top_n":
          return beforeLimit(requirement, candidates, step, tool, situation)
        default:
          return []
      }
    })
  })
  const limits = requirements
    .filter((requirement) => requirement.kind === "top_n")
    .flatMap((requirement) => limitAfterGroups(requirement, served, situation))
  return [...perStep, ...limits]
}
