/** Rules of a plan: requirements, which step serves one, and the order of steps. */
import { findTool, can } from "../Tool.ts"
import type { Tool } from "@planloom/plugin/effect"
import type { OrderRule } from "./OrderRule.ts"
import type { Plan, Step } from "./Plan.ts"
import type { Requirement } from "../Requirement.ts"

/**
 * `fulfils`: a plan with this step meets the requirement. `supports`: the step is needed for it or
 * shows it, but another must meet it.
 */
export type Service =
  | { readonly how: "fulfils" | "supports" }
  | { readonly how: "no"; readonly reason: string }

export interface Situation {
  readonly plan: Plan
  readonly tools: ReadonlyArray<Tool>
}

export type Serves = (
  requirement: Requirement,
  step: Step,
  tool: Tool,
  situation: Situation,
) => Service

export interface PlanRules {
  readonly requirements: ReadonlyArray<Requirement>
  /** What a step does for a requirement of the domain; `tool` and requirements with `tools` are decided without it. */
  readonly serves: Serves
  readonly order: ReadonlyArray<OrderRule>
  /** Whether a tool can serve a requirement with some arguments; undefined if the domain does not decide. */
  readonly canServe?: (requirement: Requirement, tool: Tool) => boolean | undefined
  /** Points for a template that matches a requirement of this kind; 1 unless given. */
  readonly weights?: { readonly [kind: string]: number }
}

export const notServed = (reason: string): Service => ({ how: "no", reason })

const among = (tools: ReadonlyArray<string>, tool: Tool): Service =>
  tools.includes(tool.name) ? { how: "fulfils" } : notServed(`only ${tools.join(" or ")} does it`)

/** By the tool's outputs and capabilities alone. */
const servesPlainly: Serves = ({ kind, label }, _, tool) => {
  if (kind === "output") {
    return tool.outputs.includes(label)
      ? { how: "fulfils" }
      : notServed(`${tool.name} gives no ${label}`)
  }
  return can(tool, label) ? { how: "fulfils" } : notServed(`${tool.name} cannot do ${label}`)
}

/** Rules for a plain list of requirements, without a domain. */
export const plainRules = (requirements: ReadonlyArray<Requirement>): PlanRules => ({
  requirements,
  serves: servesPlainly,
  order: [],
})

/** How a step serves a requirement, cited or not. */
export const serviceOf = (
  rules: PlanRules,
  requirement: Requirement,
  step: Step,
  situation: Situation,
): Service => {
  const tool = findTool(situation.tools, step.tool)
  if (tool === undefined) return notServed(`there is no tool ${step.tool}`)
  if (requirement.excludes !== undefined)
    return notServed("a wish to leave something out needs no step")
  if (requirement.tools !== undefined) return among(requirement.tools, tool)
  if (requirement.kind === "tool") return among([requirement.label], tool)
  return rules.serves(requirement, step, tool, situation)
}
