/** Journals that need no store: one that keeps nothing, and one that keeps a run in memory to replay it. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import {
  recordedStep,
  replayed,
  type Failure,
  type Journal,
  type Json,
  type RecordedStep,
  type RunEvent,
} from "@planloom/plugin"

const sleepUntil = (until: number) =>
  Effect.flatMap(
    Effect.clockWith((clock) => clock.currentTimeMillis),
    (now) => (until > now ? Effect.sleep(until - now) : Effect.void),
  )

/** Nobody can answer a signal where nothing is kept; it waits until the run is interrupted. */
const nobodyAnswers = () => Effect.never

/** Records nothing and costs nothing: for runs that end with their process. */
export const memoryJournal: Journal = {
  step: (_, effect) => effect,
  sleep: (_, until) => sleepUntil(until),
  signal: nobodyAnswers,
  event: () => undefined,
}

/** What a recording holds; plain data. */
export interface Recording {
  readonly steps: Map<string, RecordedStep>
  readonly sleeps: Map<string, number>
  readonly events: Array<RunEvent>
}

export const emptyRecording = (): Recording => ({ steps: new Map(), sleeps: new Map(), events: [] })

/** Records into `recording`, and answers from it where it already holds the step. */
export const recordingJournal = (recording: Recording): Journal => ({
  step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E, R> => {
      const recorded = recording.steps.get(name)
      if (recorded !== undefined) return replayed(recorded) as Effect.Effect<A, E>
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          const step = recordedStep(exit as Exit.Exit<Json, Failure>)
          if (step !== undefined) recording.steps.set(name, step)
        }),
      )
    }),
  sleep: (name, until) =>
    Effect.suspend(() => {
      const recorded = recording.sleeps.get(name)
      if (recorded === undefined) recording.sleeps.set(name, until)
      return sleepUntil(recorded ?? until)
    }),
  signal: nobodyAnswers,
  event: (event) => {
    recording.events.push(event)
  },
})
