/** A whole run out of the tables, and into them. */
import type { Json, RecordedRun, RunEvent } from "@planloom/plugin"
import type { Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import { contentOf } from "./Recorder.ts"
import { packedEvents, WORTH_REFERRING } from "./packedEvents.ts"
import { headOf } from "./recordOf.ts"
import { events, runs, sessions, steps, timers } from "./sql.ts"
import { storedWaits, writeWait } from "./waits.ts"
import { storeFailed } from "./toStoreFailed.ts"

export const readRun = (
  database: Database,
  bodies: Bodies,
  row: Row,
  record: {
    readonly steps: RecordedRun["steps"]
    readonly events: RecordedRun["events"]
  },
): RecordedRun => {
  const id = Number(row["id"])
  const hash = row["definition"] as string | null
  return {
    ...headOf(row),
    ...(hash === null ? {} : { definition: JSON.parse(bodies.kept(hash)) as Json }),
    ...record,
    timers: Object.fromEntries(
      database.all(timers.all, id).map(({ name, until }) => [name as string, Number(until)]),
    ),
    waits: storedWaits(database, id),
  }
}

/** Within the caller's transaction. */
export const writeRun = (
  database: Database,
  bodies: Bodies,
  path: string,
  recorded: RecordedRun,
): void => {
  const hash =
    recorded.definition === undefined ? null : bodies.share(recorded.definition, (value) => value)
  const made = database.get(
    runs.write,
    recorded.run,
    recorded.workflow,
    recorded.status,
    JSON.stringify(recorded.inputs),
    hash,
    recorded.startedAt,
    recorded.finishedAt ?? null,
    failureOf(recorded.events),
    recorded.events.find((event) => event.type === "RunForked")?.of ?? null,
  )
  if (made === undefined) throw storeFailed("exists", path, recorded.run)
  const id = Number(made["id"])
  if (recorded.session !== undefined) database.run(sessions.join, id, recorded.session)
  const given = new Map<string, string>()
  for (const { at, name, outcome } of recorded.steps) {
    const text = JSON.stringify(contentOf(outcome)) ?? "null"
    if (outcome.ok && text.length >= WORTH_REFERRING) given.set(text, name)
    const { blob, body } = bodies.write(id, text)
    database.run(steps.write, id, name, at, outcome.ok ? 1 : 0, body, blob)
  }
  for (const [name, until] of Object.entries(recorded.timers)) {
    database.run(timers.write, id, name, until)
  }
  for (const wait of recorded.waits) writeWait(database, id, wait)
  for (const part of parts(recorded.events)) {
    const stepOf = (index: number) => {
      const event = part[index]!
      return event.type === "StageFinished" ? given.get(JSON.stringify(event.output)) : undefined
    }
    const { blob, body } = bodies.write(id, JSON.stringify(packedEvents(part, stepOf)))
    database.run(events.write, id, part[0]!.seq, part.at(-1)!.seq, body, blob)
  }
}

/** Events in one row; as many as a run writes at once, roughly. */
const PART = 200

const parts = (all: ReadonlyArray<RunEvent>): ReadonlyArray<ReadonlyArray<RunEvent>> =>
  Array.from({ length: Math.ceil(all.length / PART) }, (_, index) =>
    all.slice(index * PART, (index + 1) * PART),
  )

const failureOf = (all: ReadonlyArray<RunEvent>): string | null => {
  const last = all.at(-1)
  return last?.type === "RunFailed" ? last.failure.class : null
}
