/** A recorded run as an example of one of its stages: its inputs, the conversation before it, and what the stage should give. */
import { resultOf, type Pipeline } from "@planloom/core"
import { effectiveEvents, sessionViewOf, type OpenedSession } from "@planloom/core/internal"
import type { Json, JsonObject, RecordedRun } from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import { isObject, sameJson } from "@planloom/schema"
import { heldBack } from "../heldBack.ts"
import { changesText, reflectedPlan, reflectionsIn } from "../reflections.ts"

export interface RunExample {
  readonly entry: JsonObject
  /** A warning for the person who uses it; undefined for a run that was not refined. */
  readonly note: string | undefined
}

/** Returns a sentence if the run has no output of the stage that its inputs alone explain. */
export const exampleOf = (
  recorded: RecordedRun,
  stage: string,
  pipeline: Pipeline,
): RunExample | string => {
  const events = effectiveEvents(recorded.events)
  const found = Object.entries(resultOf(events).stages).filter(([, one]) => one.stage === stage)
  const [path, first] = found[0] ?? []
  if (path === undefined) return `the run has no stage "${stage}"`
  const isAnswered = events.some((event) => event.type === "Answered" && event.path === path)
  if (isAnswered) {
    return `"${stage}" asked, and its output rests on the answer, which an example has no place for`
  }
  // What the stage asked about teaches it to ask, by its confidence.
  const given = first?.outcome === "success" ? first.output : heldBack(recorded, path)
  if (given === undefined) return `"${stage}" has no output in this run`
  const plan = isObject(given) && "plan" in given ? reflectedPlan(events) : undefined
  const session = sessionBefore(recorded, pipeline)
  return {
    entry: {
      inputs: recorded.inputs,
      ...(session === undefined ? {} : { session }),
      output: brief(plan === undefined ? given : { ...(given as JsonObject), plan }),
    },
    note:
      plan === undefined
        ? undefined
        : `the plan is the one that reflection left (${changesText(reflectionsIn(events))}): remove what the first plan cannot know`,
  }
}

/** Values of the session for the run; undefined for the first turn and outside of a session. */
const sessionBefore = ({ steps }: RecordedRun, { session }: Pipeline): JsonObject | undefined => {
  const opened = steps.find(({ name }) => name === ofRun("session"))?.outcome
  if (session === undefined || opened?.ok !== true) return undefined
  const { entities, state, summary, turns } = sessionViewOf(
    "",
    opened.value as OpenedSession,
    session,
  ).view
  const changed = Object.entries(state).filter(
    ([name, value]) =>
      !session.state.some((one) => one.name === name && sameJson(one.initial, value)),
  )
  const before = {
    ...(summary === "" ? {} : { summary }),
    ...(turns.length === 0 ? {} : { turns }),
    ...(entities.length === 0 ? {} : { entities }),
    ...(changed.length === 0 ? {} : { state: Object.fromEntries(changed) }),
  }
  return Object.keys(before).length === 0 ? undefined : (before as unknown as JsonObject)
}

/** Members that a model need not write: a plan is completed with them. */
const COMPLETED = ["inputs", "satisfies"]

/** Without empty members, because a model reads each example. */
const brief = (output: Json): Json => {
  if (!isObject(output)) return output
  const { notes, plan, ...rest } = output as JsonObject
  return {
    ...rest,
    ...(plan === undefined ? {} : { plan: briefPlan(plan) }),
    ...(notes === undefined || isEmpty(notes) ? {} : { notes }),
  }
}

const briefPlan = (plan: Json): Json => {
  const { steps, ...rest } = plan as JsonObject
  if (!Array.isArray(steps)) return plan
  return {
    ...rest,
    steps: steps.map((step: Json) => {
      if (!isObject(step)) return step
      const { id = "", tool = "", ...others } = step as JsonObject
      const written = Object.entries(others).filter(
        ([key, value]) => !COMPLETED.includes(key) || !isEmpty(value),
      )
      return { id, tool, ...Object.fromEntries(written) }
    }),
  }
}

const isEmpty = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0
