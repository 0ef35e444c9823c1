/** Resolves a hook in use to one hook for each point at which it runs. */
import type { AnyHook, HookFilter, HookUse } from "../component/Hook.ts"
import { hookPoints, type PointId } from "../component/HookPoint.ts"

/** Points of a model call and its prompt. */
const aroundModels: ReadonlyArray<PointId> = [
  "pre_assembly",
  "section_build",
  "tools_build",
  "post_assembly",
  "before_model",
  "after_model",
]

/** Points at which calls have the names that a filter compares. */
export const filterPoints: { readonly [key in keyof HookFilter]-?: ReadonlyArray<PointId> } = {
  stage: hookPoints.flatMap(({ id, scope }) => (scope === "stage" ? [id] : [])),
  section: ["section_build"],
  mode: aroundModels,
  tool: ["before_tool", "after_tool"],
  model: ["before_model", "after_model"],
  reviewer: aroundModels,
}

/** Points of the hook, in the order in which a run reaches them. */
export const pointsOf = ({ also = {}, point }: AnyHook): ReadonlyArray<PointId> =>
  hookPoints.flatMap(({ id }) => (id === point || Object.hasOwn(also, id) ? [id] : []))

/**
 * The hook at each point that its use selects, with the order of the use. A filter selects the points whose calls have
 * what it compares; without `points`, a use at a stage leaves out those of the whole run.
 */
export const hooksInUse = (
  { after, before, onError, only = {}, phase, points, priority }: HookUse,
  hook: AnyHook,
  on: "workflow" | "stage" | "project",
): ReadonlyArray<AnyHook> => {
  const order = Object.fromEntries(
    Object.entries({ after, before, onError, phase, priority }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const filters = Object.keys(only) as ReadonlyArray<keyof HookFilter>
  const own = pointsOf(hook)
  return (points ?? own).flatMap((point) => {
    const run = point === hook.point ? hook.run : hook.also?.[point]
    const isSelected =
      run !== undefined &&
      filters.every((key) => filterPoints[key].includes(point)) &&
      (points !== undefined || own.length === 1 || on !== "stage" || isOfStages(point))
    const { also: _, ...rest } = hook
    return isSelected ? [{ ...rest, ...order, point, run } as AnyHook] : []
  })
}

const isOfStages = (point: PointId): boolean => filterPoints.stage.includes(point)
