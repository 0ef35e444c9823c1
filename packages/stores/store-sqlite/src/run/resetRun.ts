/** Drops a part of a run's record, so that the run resumes from before it. */
import type { Json, RunEvent, ResetChange } from "@planloom/plugin/effect"
import type { Bodies } from "../Bodies.ts"
import type { Database } from "../Database.ts"
import { packEvents, referencesIn, unpackEvents } from "../packEvents.ts"
import { cancels, events, runs, steps, timers, waits } from "../sql.ts"

/** Requires the caller's transaction. `now` is epoch milliseconds. */
export const resetRun = (
  database: Database,
  bodies: Bodies,
  id: number,
  { definition, drops, event }: ResetChange,
  now: number,
): void => {
  inlineDroppedOutputs(database, bodies, id, drops)
  for (const { drop, names } of tables) {
    for (const row of database.all(names, id)) {
      const name = row["name"] as string
      if (drops(name)) database.run(drop, id, name)
    }
  }
  const seq = Number(database.get(events.last, id)?.["last"] ?? -1) + 1
  const reset: RunEvent = { ...event, seq, at: now }
  const { blob, body } = bodies.write(id, JSON.stringify([reset]))
  database.run(events.write, id, seq, seq, body, blob)
  const hash = definition === undefined ? null : bodies.share(definition, (value: Json) => value)
  database.run(runs.reset, hash, id)
  database.run(cancels.done, id)
}

/** Rewrites events that refer to a dropped step with the step's output. */
const inlineDroppedOutputs = (
  database: Database,
  bodies: Bodies,
  id: number,
  drops: ResetChange["drops"],
): void => {
  for (const row of database.all(events.all, id)) {
    const packed = bodies.ofRow(row)
    const references = referencesIn(packed)
    if (!references.some((step) => step !== undefined && drops(step))) continue
    const unpacked = unpackEvents(packed, (step) =>
      bodies.ofRow(database.get(steps.one, id, step)!),
    )
    const stepOf = (index: number) => {
      const step = references[index]
      return step === undefined || drops(step) ? undefined : step
    }
    const { blob, body } = bodies.write(id, JSON.stringify(packEvents(unpacked, stepOf)))
    database.run(events.rewrite, body, blob, id, row["first"] as number)
  }
}

const tables = [
  { names: steps.names, drop: steps.drop },
  { names: timers.all, drop: timers.drop },
  { names: waits.names, drop: waits.drop },
]
