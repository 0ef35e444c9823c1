/** Makes a run, or takes over the one of its id: whoever held it before can record nothing more. */
import type { Json, RunStart } from "@planloom/plugin"
import type { Bodies } from "./Bodies.ts"
import type { Database } from "./Database.ts"
import type { Ownership } from "./Ownership.ts"
import { runs, sessions } from "./sql.ts"
import { storeFailed } from "./toStoreFailed.ts"

export interface HoldPlace {
  readonly database: Database
  readonly bodies: Bodies
  readonly path: string
  readonly ownership: Ownership
}

export interface HeldRun {
  readonly id: number
  readonly epoch: number
  /** Made just now. */
  readonly fresh: boolean
}

/** `now` is epoch milliseconds. */
export const holdRun = (place: HoldPlace, start: RunStart, now: number): HeldRun => {
  const id = madeAtOnce(place, start, now)
  return id === undefined
    ? place.database.transaction(() => madeOrTaken(place, start, now))
    : { id, epoch: 1, fresh: true }
}

/** A new run of a definition that is kept already needs one statement. */
const madeAtOnce = (place: HoldPlace, start: RunStart, now: number): number | undefined => {
  if (start.session !== undefined) return undefined
  if (start.definition === undefined) return made(place, start, null, now)
  const hash = place.bodies.sharedAs(start.definition)
  return hash === undefined ? undefined : made(place, start, hash, now)
}

const madeOrTaken = (place: HoldPlace, start: RunStart, now: number): HeldRun => {
  const { bodies, database, ownership, path } = place
  const { definition, epoch = null, run, scrub, session } = start
  const clean = (value: Json) => (scrub === undefined ? value : scrub(value))
  const hash = definition === undefined ? null : bodies.share(definition, clean)
  const id = made(place, start, hash, now)
  if (id !== undefined) {
    if (session !== undefined) database.run(sessions.join, id, session)
    return { id, epoch: 1, fresh: true }
  }
  if (epoch !== null) mustBeIdle(place, run, epoch)
  const { name } = ownership
  const taken = database.get(runs.takeOver, name, name, run, epoch, epoch)
  if (taken === undefined) throw storeFailed("fenced", path, run)
  return { id: Number(taken["id"]), epoch: Number(taken["epoch"]), fresh: false }
}

/** Looks again: the owner may have shown a sign of life since the caller looked, or this process was frozen in between. */
const mustBeIdle = ({ database, ownership, path }: HoldPlace, run: string, epoch: number): void => {
  const row = database.get(runs.ownerOf, run)
  if (row?.["epoch"] === epoch && ownership.isActive(row)) throw storeFailed("busy", path, run)
}

/** Undefined when there is a run of this id, or its definition is not kept. */
const made = (
  { database, ownership }: HoldPlace,
  { inputs, run, scrub, workflow }: RunStart,
  hash: string | null,
  now: number,
): number | undefined => {
  const clean = JSON.stringify(scrub === undefined ? inputs : scrub(inputs))
  return database.insert(runs.insert, run, workflow, clean, hash, now, ownership.name, hash, hash)
}
