/** Reads a request against the tools of other agents: those that the index finds, or all where it finds none. */
import * as Effect from "effect/Effect"
import { writes, type CallReading, type RequestReading } from "@planloom/planning/reading"
import type { Place } from "./Agents.ts"
import { isServedBy, readHere } from "./readHere.ts"
import { placeOfTarget, type Found } from "./targets.ts"
import type { Turn } from "./Turn.ts"

export interface Elsewhere {
  readonly place: Place
  readonly calls: ReadonlyArray<CallReading>
}

const keyOf = (calls: ReadonlyArray<CallReading>): string =>
  JSON.stringify(calls.map(({ call, params }) => [call.tool.name, params]))

/**
 * The calls that every agent which understands the request would make; undefined if they differ. Where one agent is found, it
 * is asked only if the one in charge has a question (`isAsked`).
 */
export const readElsewhere = Effect.fnUntraced(function* (
  turn: Turn,
  request: string,
  found: Found,
  isAsked: boolean,
) {
  if (found.type === "one" && !isAsked) return undefined
  const { input, place } = turn
  const near = found.type === "one" ? [found.target.split("/")[0]!] : found.targets
  const targets = near.length > 0 ? near : Object.keys(input.agents)
  return yield* agreed(
    turn,
    request,
    targets
      .map((target) => placeOfTarget(input, target))
      .filter(({ agent }) => agent !== place.agent),
  )
})

const agreed = Effect.fnUntraced(function* (
  turn: Turn,
  request: string,
  places: ReadonlyArray<Place>,
) {
  const readings: Array<Elsewhere> = []
  for (const place of places) {
    const reading = yield* readHere(turn, request, undefined, place)
    if (reading.type === "calls" && isServedBy(request, reading.calls, turn, place))
      readings.push({ place, calls: reading.calls })
  }
  return new Set(readings.map(({ calls }) => keyOf(calls))).size === 1 ? readings[0] : undefined
})

/** Most clauses of one request. */
const MAX_CLAUSES = 3

/** Calls that only read, one for each clause, whichever agents they belong to; undefined unless each clause is understood. */
export const readClauses = Effect.fnUntraced(function* (
  turn: Turn,
  clauses: ReadonlyArray<string>,
) {
  if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return undefined
  const { input, place } = turn
  const all = [
    place,
    ...Object.keys(input.agents).flatMap((agent) => (agent === place.agent ? [] : [{ agent }])),
  ]
  const calls: Array<CallReading> = []
  for (const clause of clauses) {
    const read = yield* agreed(turn, clause, all)
    if (read === undefined || read.calls.some(({ call }) => writes(call.tool))) return undefined
    calls.push(...read.calls)
  }
  return calls
})

/** The question of the agents that have one about the request, if it is about one tool. */
export const askElsewhere = Effect.fnUntraced(function* (
  turn: Turn,
  request: string,
  found: Found,
) {
  const { input, place } = turn
  const targets =
    found.type === "several" && found.targets.length > 0 ? found.targets : Object.keys(input.agents)
  const places = [...new Set(targets.map((target) => placeOfTarget(input, target).agent))]
    .filter((agent) => agent !== place.agent)
    .map((agent): Place => ({ agent }))
  const asking: Array<{ readonly place: Place; readonly reading: Asking }> = []
  for (const one of places) {
    const reading = yield* readHere(turn, request, undefined, one)
    // A question without a value of the request could be about anything.
    if (reading.type === "ask" && Object.keys(reading.near.params).length > 0)
      asking.push({ place: one, reading })
  }
  const tools = new Set(asking.map(({ reading }) => reading.near.call.tool.name))
  return tools.size === 1 ? asking[0] : undefined
})

type Asking = Extract<RequestReading, { readonly type: "ask" }>
