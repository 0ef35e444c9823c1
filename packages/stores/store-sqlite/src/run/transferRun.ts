/** Reads a whole run from the tables and writes one into them. */
import type { Json, RecordedRun, RunEvent } from "@planloom/plugin/effect"
import type { Bodies } from "../Bodies.ts"
import type { Database, Row } from "../Database.ts"
import { contentOf } from "../Recorder.ts"
import { packEvents, MIN_REFERENCE_CHARS } from "../packEvents.ts"
import { personalText, readPersonal } from "./personalDigests.ts"
import { runSummary } from "./toRunRecord.ts"
import { events, runs, sessions, steps, timers } from "../sql.ts"
import { readWaits, writeWait } from "./waits.ts"
import { storeFailed } from "../toStoreFailed.ts"

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
  const personalDigests = readPersonal(database.get(runs.personal, row["run"]!)!)
  return {
    ...runSummary(row),
    ...(personalDigests === undefined ? {} : { personalDigests }),
    ...(hash === null ? {} : { definition: JSON.parse(bodies.blobText(hash)) as Json }),
    ...record,
    timers: Object.fromEntries(
      database.all(timers.all, id).map(({ name, until }) => [name as string, Number(until)]),
    ),
    waits: readWaits(database, id),
  }
}

/** Requires the caller's transaction. */
export const writeRun = (
  database: Database,
  bodies: Bodies,
  path: string,
  recorded: RecordedRun,
): void => {
  const hash =
    recorded.definition === undefined ? null : bodies.share(recorded.definition, (value) => value)
  const inserted = database.get(
    runs.write,
    recorded.run,
    recorded.workflow,
    recorded.status,
    JSON.stringify(recorded.inputs),
    hash,
    recorded.startedAt,
    recorded.finishedAt ?? null,
    failureClassOf(recorded.events),
    recorded.events.find((event) => event.type === "RunForked")?.of ?? null,
    recorded.userDigest ?? null,
    personalText(recorded.personalDigests),
  )
  if (inserted === undefined) throw storeFailed("exists", path, recorded.run)
  const id = Number(inserted["id"])
  if (recorded.session !== undefined) database.run(sessions.join, id, recorded.session)
  const outputSteps = new Map<string, string>()
  for (const { at, name, outcome } of recorded.steps) {
    const text = JSON.stringify(contentOf(outcome)) ?? "null"
    if (outcome.ok && text.length >= MIN_REFERENCE_CHARS) outputSteps.set(text, name)
    const { blob, body } = bodies.write(id, text)
    database.run(steps.write, id, name, at, outcome.ok ? 1 : 0, body, blob)
  }
  for (const [name, until] of Object.entries(recorded.timers)) {
    database.run(timers.write, id, name, until)
  }
  for (const wait of recorded.waits) writeWait(database, id, wait)
  for (const row of rowsOf(recorded.events)) {
    const stepOf = (index: number) => {
      const event = row[index]!
      return event.type === "StageFinished"
        ? outputSteps.get(JSON.stringify(event.output))
        : undefined
    }
    const { blob, body } = bodies.write(id, JSON.stringify(packEvents(row, stepOf)))
    database.run(events.write, id, row[0]!.seq, row.at(-1)!.seq, body, blob)
  }
}

/** Events per row; about as many as a run writes at once. */
const ROW_EVENTS = 200

const rowsOf = (all: ReadonlyArray<RunEvent>): ReadonlyArray<ReadonlyArray<RunEvent>> =>
  Array.from({ length: Math.ceil(all.length / ROW_EVENTS) }, (_, index) =>
    all.slice(index * ROW_EVENTS, (index + 1) * ROW_EVENTS),
  )

const failureClassOf = (all: ReadonlyArray<RunEvent>): string | null => {
  const last = all.at(-1)
  return last?.type === "RunFailed" ? last.failure.class : null
}
