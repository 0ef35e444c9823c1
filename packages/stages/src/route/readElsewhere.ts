/** Reads a request against the tools of other agents: those that the index finds, or all where it finds none. */
import * as Effect from "effect/Effect"
import { writes, type CallReading } from "@planloom/planning/reading"
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

/** The calls that every agent which understands the request would make; undefined if they differ, or one agent is found. */
export const readElsewhere = Effect.fnUntraced(function* (
  turn: Turn,
  request: string,
  found: Found,
) {
  if (found.type === "one") return undefined
  const { input, place } = turn
  const targets = found.targets.length > 0 ? found.targets : Object.keys(input.agents)
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
