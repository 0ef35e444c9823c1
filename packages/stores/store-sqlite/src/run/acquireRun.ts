/** Creates a run, or takes over the run of its id and fences off the process that held it. */
import type { Json, RunStart } from "@planloom/plugin/effect"
import type { Bodies } from "../Bodies.ts"
import type { Database } from "../Database.ts"
import type { Ownership } from "../owner/Ownership.ts"
import { personalText } from "./personalDigests.ts"
import { runs, sessions, steps } from "../sql.ts"
import { storeFailed } from "../toStoreFailed.ts"

export interface AcquireContext {
  readonly database: Database
  readonly bodies: Bodies
  readonly path: string
  readonly ownership: Ownership
}

export interface AcquiredRun {
  readonly id: number
  readonly epoch: number
  /** Whether the run was created by this call. */
  readonly fresh: boolean
  /** The steps that are recorded; an earlier owner records none from now on. */
  readonly steps: ReadonlyArray<string>
}

/** `now` is epoch milliseconds. */
export const acquireRun = (context: AcquireContext, start: RunStart, now: number): AcquiredRun => {
  const id = insertAtOnce(context, start, now)
  return id === undefined
    ? context.database.transaction(() => insert(context, start, now) ?? takeOver(context, start))
    : created(id)
}

/** Creates a run with one statement, if its definition is stored already and it has no session. */
const insertAtOnce = (
  context: AcquireContext,
  start: RunStart,
  now: number,
): number | undefined => {
  if (start.session !== undefined || exists(start)) return undefined
  if (start.definition === undefined) return insertRun(context, start, null, now)
  const hash = context.bodies.sharedHash(start.definition)
  return hash === undefined ? undefined : insertRun(context, start, hash, now)
}

const insert = (context: AcquireContext, start: RunStart, now: number): AcquiredRun | undefined => {
  if (exists(start)) return undefined
  const { bodies, database } = context
  const { definition, scrub, session } = start
  const scrubbed = (value: Json) => (scrub === undefined ? value : scrub(value))
  const hash = definition === undefined ? null : bodies.share(definition, scrubbed)
  const id = insertRun(context, start, hash, now)
  if (id === undefined) return undefined
  if (session !== undefined) database.run(sessions.join, id, session)
  return created(id)
}

const created = (id: number): AcquiredRun => ({ id, epoch: 1, fresh: true, steps: [] })

/** An epoch was read from the run's record; 0 is that of a run without one. */
const exists = ({ epoch = 0 }: RunStart): boolean => epoch > 0

const takeOver = (context: AcquireContext, start: RunStart): AcquiredRun => {
  const { database, ownership, path } = context
  const { epoch = null, run } = start
  if (epoch !== null) requireIdle(context, run, epoch)
  const { name } = ownership
  const taken = database.get(runs.takeOver, name, name, run, epoch, epoch)
  if (taken === undefined) throw storeFailed("fenced", path, run)
  const id = Number(taken["id"])
  const recorded = taken["steps"] === 0 ? [] : database.all(steps.names, id)
  return {
    id,
    epoch: Number(taken["epoch"]),
    fresh: false,
    steps: recorded.map((row) => row["name"] as string),
  }
}

/** Checks the owner again: it may have sent a heartbeat since the caller's check, or this process was frozen since. */
const requireIdle = (
  { database, ownership, path }: AcquireContext,
  run: string,
  epoch: number,
): void => {
  const row = database.get(runs.ownerOf, run)
  if (row?.["epoch"] === epoch && ownership.isActive(row)) throw storeFailed("busy", path, run)
}

/** Undefined if the id exists, or if the definition is not stored. */
const insertRun = (
  { database, ownership }: AcquireContext,
  { inputs, personalDigests, run, scrub, startedAt, userDigest, workflow }: RunStart,
  hash: string | null,
  now: number,
): number | undefined => {
  const body = JSON.stringify(scrub === undefined ? inputs : scrub(inputs))
  const personal = personalText(personalDigests)
  const [at, digest, owner] = [startedAt ?? now, userDigest ?? null, ownership.name]
  const given = [run, workflow, body, hash, at, digest, personal, owner, hash, hash]
  return database.insert(runs.insert, ...given)
}
