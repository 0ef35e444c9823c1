/** Whether what a stage held back to ask its user was right, by what it gave after the answer. */
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"
import { isObject, sameJson } from "@planloom/schema"

/** Nothing is planned, so that there is nothing to give instead of a question. */
export const isEmptyPlan = (output: Json | undefined): boolean => stepsIn(output)?.length === 0

/** Whether the stage gave after the answer what it had held back; undefined without an answer of a person and an output. */
export const keptAfterAnswer = (
  held: Json | undefined,
  events: ReadonlyArray<RunEvent>,
  path: string,
): boolean | undefined => {
  const isAnswered = events.some(
    (event) => event.type === "Answered" && event.path === path && event.value !== null,
  )
  const end = events.findLast((event) => event.type === "StageFinished" && event.path === path)
  if (held === undefined || !isAnswered || end?.type !== "StageFinished") return undefined
  const [before, after] = [stepsIn(held), stepsIn(end.output)]
  return before !== undefined && after !== undefined
    ? sameJson(callsOf(before), callsOf(after))
    : sameJson(withoutConfidence(held), withoutConfidence(end.output))
}

const stepsIn = (output: Json | undefined): ReadonlyArray<JsonObject> | undefined => {
  const plan = isObject(output) ? output["plan"] : undefined
  const steps = isObject(plan) ? plan["steps"] : undefined
  return Array.isArray(steps) ? (steps as ReadonlyArray<JsonObject>) : undefined
}

/** The calls of steps: models name equal steps differently, and completed plans have more members. */
const callsOf = (steps: ReadonlyArray<JsonObject>): Json => {
  const places = new Map(steps.map(({ id }, index) => [id, index]))
  const renamed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((one: Json) => renamed(one))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [
        key,
        key === "$from" && places.has(inner) ? places.get(inner)! : renamed(inner),
      ]),
    )
  }
  return steps.map(({ each = null, params = {}, tool = null }) => renamed({ tool, params, each }))
}

const withoutConfidence = (output: Json): Json => {
  if (!isObject(output)) return output
  const { confidence: _, ...rest } = output as JsonObject
  return rest
}
