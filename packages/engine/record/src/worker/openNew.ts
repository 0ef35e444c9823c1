/** Records a new run as one that this process executes. */
import * as Effect from "effect/Effect"
import type { Json, OpenedRun, RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { EnqueuedRun } from "./enqueue.ts"

export interface StartedRun {
  readonly record: RunRecord
  readonly definition: Json | undefined
  readonly opened: OpenedRun
}

/** Fails with `fenced` when the store has a run of this id. */
export const openNew = (
  store: RunStore,
  { recorded, scrub }: EnqueuedRun,
): Effect.Effect<StartedRun, StoreFailed> => {
  const { definition, inputs, run, session, startedAt, status, userDigest, workflow } = recorded
  const { personalDigests } = recorded
  const start = {
    run,
    workflow,
    inputs,
    startedAt,
    ...(session === undefined ? {} : { session }),
    ...(userDigest === undefined ? {} : { userDigest }),
  }
  return Effect.map(
    store.open({
      ...start,
      ...(personalDigests === undefined ? {} : { personalDigests }),
      ...(definition === undefined ? {} : { definition }),
      ...(scrub === undefined ? {} : { scrub }),
      epoch: 0,
    }),
    (opened) => ({
      record: { ...start, status, epoch: opened.epoch, active: true },
      definition,
      opened,
    }),
  )
}
