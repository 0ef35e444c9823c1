/** Changes that reflections of a run made in its plan, from the events of the run. */
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

/** A reflection that changed the plan, as its stage noted it. */
export interface Reflection {
  readonly path: string
  readonly round: number
  readonly strategy: string
  /** For developers. */
  readonly reasoning: string
  readonly missing: ReadonlyArray<{ readonly rule: string; readonly reason: string }>
  /** In words, without names of tools and params. */
  readonly looked_for?: ReadonlyArray<string>
  readonly nothing_for?: ReadonlyArray<string>
  readonly failed_for?: ReadonlyArray<string>
  readonly next?: ReadonlyArray<string>
  readonly difference: ReadonlyArray<PlanChange>
}

type Noted = Omit<Reflection, "path">

interface PlanChange {
  /** `add`, `remove` or `modify`. */
  readonly op: string
  readonly step: string
}

/** In the order of the run; those that left the plan as it was are left out. */
export const reflectionsIn = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Reflection> =>
  events.flatMap((event) => {
    if (event.type !== "Noted" || event.note !== "reflection") return []
    return hasChanged(event.data) ? [{ ...(event.data as unknown as Noted), path: event.path }] : []
  })

/** A plugin may note something else by this name. */
const hasChanged = (data: Json): boolean =>
  isObject(data) &&
  Array.isArray(data["missing"]) &&
  Array.isArray(data["difference"]) &&
  data["difference"].length > 0

/** The plan that the last of them left; undefined without one. */
export const reflectedPlan = (events: ReadonlyArray<RunEvent>): Json | undefined => {
  const last = reflectionsIn(events).at(-1)
  const end = events.findLast(
    (event) => event.type === "StageFinished" && event.path === last?.path,
  )
  return end?.type === "StageFinished" ? (end.output as JsonObject)["plan"] : undefined
}

/** `adds found_price, removes search`, each step once. */
export const changesText = (reflections: ReadonlyArray<Reflection>): string => {
  const changes = reflections.flatMap(({ difference }) => difference)
  return Object.entries({ add: "adds", remove: "removes", modify: "changes" })
    .flatMap(([op, word]) => {
      const steps = changes.flatMap((change) => (change.op === op ? [change.step] : []))
      return steps.length === 0 ? [] : [`${word} ${[...new Set(steps)].join(", ")}`]
    })
    .join(", ")
}
