/** Transitions of a flow: the state that follows from what was said and called. */
import * as Effect from "effect/Effect"
import type {
  Json,
  CallRecord,
  JsonObject,
  JsonSchema,
  StageContext,
} from "@planloom/plugin/effect"
import { text } from "@planloom/stage-kit"
import { madeCall } from "../madeCalls.ts"
import { stateAt, type Place, type RouteInput } from "./Agents.ts"
import { settledPlace } from "./navigation.ts"

/** What `when` may read. */
export const transitionVariables: { readonly [name: string]: JsonSchema } = {
  request: text,
  entities: true,
  calls: {
    type: "array",
    items: { ...madeCall, properties: { ...madeCall.properties, result: true } },
  },
}

/** Paths in `with` of the conditions of transitions. */
export const conditionPaths = (agents: Json | undefined): ReadonlyArray<string> => {
  const entries = (value: unknown): ReadonlyArray<[string, any]> =>
    typeof value === "object" && value !== null ? Object.entries(value) : []
  return entries(agents).flatMap(([agent, { flows } = {}]) =>
    entries(flows).flatMap(([flow, { states } = {}]) =>
      entries(states).flatMap(([state, { next } = {}]) =>
        entries(next).map(([at]) => conditionPath(agent, flow, state, at)),
      ),
    ),
  )
}

const conditionPath = (agent: string, flow: string, state: string, at: string | number): string =>
  `agents.${agent}.flows.${flow}.states.${state}.next.${at}.when`

/** The place after these calls, through every state whose transition is due. */
export const movedPlace = Effect.fnUntraced(function* (
  input: RouteInput,
  place: Place,
  calls: ReadonlyArray<CallRecord>,
  context: StageContext,
) {
  let at = place
  let left = calls
  const passed = new Set<string>()
  while (at.state !== undefined && !passed.has(at.state)) {
    passed.add(at.state)
    const next = yield* nextState(input, at, left, context)
    if (next === undefined) return at
    // A call makes one transition: the next state waits for a call of its own.
    left = next.by === undefined ? [] : calls.slice(calls.indexOf(next.by) + 1)
    at = settledPlace(input, { ...at, state: next.to })
  }
  return at
})

const nextState = Effect.fnUntraced(function* (
  input: RouteInput,
  place: Place,
  calls: ReadonlyArray<CallRecord>,
  { holds }: StageContext,
) {
  const { agent, flow, state } = place
  for (const [at, { to, tool, when }] of (stateAt(input, place)?.next ?? []).entries()) {
    const by = tool === undefined ? undefined : calls.find((one) => one.tool === tool && one.ok)
    if (tool !== undefined && by === undefined) continue
    if (tool === undefined && when === undefined) continue
    const variables: JsonObject = {
      request: input.request,
      entities: input.entities ?? null,
      calls: calls.map(({ ...one }) => one as unknown as Json),
    }
    if (when === undefined || (yield* holds(conditionPath(agent, flow!, state!, at), variables))) {
      return { to, by }
    }
  }
  return undefined
})
