/** Hooks that sections bind at a place of a workflow → the plan of their points. */
import type { AnyHook, HookFilter, HookPoint, HookUse, JsonObject } from "@planloom/plugin/effect"
import { hookPoints } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { hooksInUse, orderHooks } from "@planloom/plugin/hooks"
import { compileExpression, compileValue } from "@planloom/expression"
import { validatorOf } from "@planloom/schema/ajv"
import type { DocumentPath, RunResources } from "@planloom/language"
import type { BoundHook, CallFilter, HookPlan, PointHooks, ReviewerHooks } from "../HookPlan.ts"

/** Milliseconds that a hook may take. */
const DEFAULT_TIMEOUT_MS = 5000

/** The plan of a stage: hooks of the workflow, of the stages around it, and its own. Undefined without hooks. */
export const stageHooks = (
  resources: RunResources,
  path: DocumentPath,
  stage: string,
): HookPlan | undefined =>
  planOf(resources, path, "stage", stage, ({ only }) => only?.reviewer === undefined)

/** The plans around the model calls of reviewers of a stage; undefined without hooks for any. */
export const reviewerHooks = (
  resources: RunResources,
  path: DocumentPath,
  stage: string,
): ReviewerHooks | undefined => {
  const { components, pluginSections = [] } = resources
  const isFor = (use: HookUse, reviewer?: string): boolean =>
    use.only?.reviewer === undefined
      ? hookOf(use, components.hooks).reviewers === true
      : reviewer === undefined || use.only.reviewer.includes(reviewer)
  if (!pluginSections.some(({ bound }) => bound.hooks?.some((use) => isFor(use)))) return undefined
  const plans = new Map<string, HookPlan | undefined>()
  return (reviewer) => {
    if (!plans.has(reviewer))
      plans.set(
        reviewer,
        planOf(resources, path, "stage", stage, (use) => isFor(use, reviewer)),
      )
    return plans.get(reviewer)
  }
}

/** The plan of the points of a whole run. */
export const workflowHooks = (resources: RunResources): HookPlan | undefined =>
  planOf(resources, [], "workflow")

const planOf = (
  { components, pluginSections = [] }: RunResources,
  path: DocumentPath,
  scope: HookPoint["scope"],
  stage?: string,
  isMeant: (use: HookUse) => boolean = () => true,
): HookPlan | undefined => {
  const bound = pluginSections.flatMap((section) =>
    section.path.every((segment, index) => path[index] === segment)
      ? (section.bound.hooks ?? []).flatMap((use) =>
          isMeant(use) && (stage === undefined || use.only?.stage?.includes(stage) !== false)
            ? hooksInUse(use, hookOf(use, components.hooks), section.on).map((hook) =>
                bindHook(use, hook),
              )
            : [],
        )
      : [],
  )
  if (bound.length === 0) return undefined
  const plan: { [point: string]: PointHooks } = {}
  for (const { id, scope: where } of hookPoints) {
    const at = where === scope ? bound.filter(({ hook }) => hook.point === id) : []
    if (at.length > 0) plan[id] = pointHooks(at)
  }
  return Object.keys(plan).length === 0 ? undefined : plan
}

const hookOf = ({ use }: HookUse, hooks: ReadonlyMap<string, AnyHook>): AnyHook =>
  typeof use === "string" ? hooks.get(use)! : use

/** A filter that selects the point compares what its calls are for. */
const filterOf = ({ mode, model, section, tool }: HookFilter = {}): CallFilter | undefined => {
  const of = section ?? tool ?? model
  return of === undefined && mode === undefined
    ? undefined
    : { ...(of && { of }), ...(mode && { mode }) }
}

const bindHook = (use: HookUse, hook: AnyHook): BoundHook => {
  const options = compileValue(use.with ?? {})
  const timeout = use.timeout ?? hook.timeout
  return {
    hook,
    when: use.when === undefined ? undefined : compileExpression(use.when),
    only: filterOf(use.only),
    constant: options.constant ? (options.evaluate({}) as JsonObject) : undefined,
    with: options,
    validate: validatorOf(hook.input ?? true),
    timeout: (timeout === undefined ? undefined : parseDuration(timeout)) ?? DEFAULT_TIMEOUT_MS,
    onError: hook.onError ?? "skip",
  }
}

const pointHooks = (bound: ReadonlyArray<BoundHook>): PointHooks => {
  const { order } = orderHooks(bound)
  return {
    transforms: order.filter(({ hook }) => hook.kind === "transform"),
    readers: order.filter(({ hook }) => hook.kind !== "transform"),
    ids: order.map(({ hook }) => hook.id),
  }
}
