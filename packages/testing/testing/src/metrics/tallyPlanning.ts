/** The events of a run → what is counted of its plans. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"
import type { PlanningTally } from "./PlanningTally.ts"

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const texts = (values: ReadonlyArray<Json | undefined>): ReadonlyArray<string> =>
  values.filter((value) => typeof value === "string")

const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0)

/** The last outputs of the stages of one kind: of a stage that was rerun only the last counts. */
const outputsOf = (events: ReadonlyArray<RunEvent>, kind: string): ReadonlyArray<JsonObject> => {
  const uses = new Map<string, string>()
  const outputs = new Map<string, JsonObject>()
  for (const event of events) {
    if (event.type === "StageStarted") uses.set(event.path, event.uses)
    if (event.type === "StageFinished" && uses.get(event.path) === kind) {
      outputs.set(event.path.replace(/~\d+/g, ""), object(event.output))
    }
  }
  return [...outputs.values()]
}

const toolsOf = (plans: ReadonlyArray<JsonObject>): ReadonlySet<string> =>
  new Set(
    texts(
      plans.flatMap(({ plan }) => list(object(plan)["steps"]).map((step) => object(step)["tool"])),
    ),
  )

/** Steps that "repair" was noted of, by whichever stage. */
const repairedSteps = (events: ReadonlyArray<RunEvent>): ReadonlySet<string> =>
  new Set(
    texts(
      events.flatMap((event) =>
        event.type === "Noted" && event.note === "repair" ? [object(event.data)["step"]] : [],
      ),
    ),
  )

/** The requirements that a step of the checked plans covers. */
export const coveredIn = (events: ReadonlyArray<RunEvent>): ReadonlySet<string> =>
  new Set(
    outputsOf(events, "cover").flatMap(({ matrix }) =>
      Object.entries(object(matrix)).flatMap(([id, steps]) => (list(steps).length > 0 ? [id] : [])),
    ),
  )

/**
 * Reads what the kinds `narrow`, `adapt`, `cover` and `execute` gave; a run without them counts
 * nothing. Where a plan was sent back, the one that came of it counts. `truth` lists requirements by hand.
 */
export const tallyPlanning = (
  events: ReadonlyArray<RunEvent>,
  truth: ReadonlyArray<string> = [],
): PlanningTally => {
  const checked = outputsOf(events, "cover")
  const count = (of: string): number =>
    checked.reduce((sum, { counts }) => sum + number(object(counts)[of]), 0)
  const narrowed = outputsOf(events, "narrow")
  const offered = new Set(texts(narrowed.flatMap(({ tools }) => list(tools))))
  const used = toolsOf(checked.length > 0 ? checked : outputsOf(events, "adapt"))
  const planned = narrowed.length === 0 ? [] : [...used]
  const executed = outputsOf(events, "execute").flatMap(({ failed, order }) =>
    texts([...list(order), ...list(failed).map((one) => object(one)["step"])]),
  )
  const repaired = repairedSteps(events)
  const expected = checked.length === 0 ? [] : truth
  const met = coveredIn(events)
  return {
    requirements: count("requirements"),
    covered: count("covered"),
    expected: expected.length,
    met: expected.filter((id) => met.has(id)).length,
    steps: count("steps"),
    unjustified: count("unjustified"),
    tools: planned.length,
    missed: planned.filter((tool) => !offered.has(tool)).length,
    executed: executed.length,
    repaired: executed.filter((step) => repaired.has(step)).length,
  }
}
