/** Journals without a store: one records nothing, one records in memory for a replay. */
import * as Effect from "effect/Effect"
import {
  expiredAnswer,
  journalStep,
  sleepUntil,
  type Answer,
  type Journal,
  type RecordedStep,
  type RunEvent,
  type Wait,
} from "@planloom/plugin/effect"

/** Records nothing, for runs that end with their process. */
export const memoryJournal: Journal = {
  step: (_, effect) => effect,
  lookup: () => Effect.undefined,
  record: () => Effect.void,
  sleep: (_, until) => sleepUntil(until),
  wait: (wait) => Effect.succeed({ wait }),
  answer: (_, answer) => Effect.succeed(answer),
  lasting: false,
  event: () => undefined,
}

/** The content of a recording, as plain data. */
export interface Recording {
  readonly steps: Map<string, RecordedStep>
  readonly sleeps: Map<string, number>
  readonly waits: Map<string, Wait>
  /** By the name of their question; only the first answer is kept. */
  readonly answers: Map<string, Answer>
  readonly events: Array<RunEvent>
}

export const emptyRecording = (): Recording => ({
  steps: new Map(),
  sleeps: new Map(),
  waits: new Map(),
  answers: new Map(),
  events: [],
})

/** Records into `recording`, and answers from it where it already holds the step. */
export const recordingJournal = (recording: Recording): Journal => {
  const lookup: Journal["lookup"] = (name) => Effect.sync(() => recording.steps.get(name))
  const record: Journal["record"] = (name, outcome) =>
    Effect.sync(() => void recording.steps.set(name, outcome))
  return {
    lookup,
    record,
    step: journalStep({ lookup, record }),
    sleep: (name, until) =>
      Effect.suspend(() => {
        const recorded = recording.sleeps.get(name)
        if (recorded === undefined) recording.sleeps.set(name, until)
        return sleepUntil(recorded ?? until)
      }),
    wait: (asked) =>
      Effect.clockWith((clock) => {
        const wait = recording.waits.get(asked.name) ?? asked
        recording.waits.set(wait.name, wait)
        const now = clock.currentTimeMillisUnsafe()
        const expired = expiredAnswer(wait, now)
        if (expired !== undefined && !recording.answers.has(wait.name)) {
          recording.answers.set(wait.name, expired)
        }
        const answer = recording.answers.get(wait.name)
        return Effect.succeed(answer === undefined ? { wait } : { wait, answer })
      }),
    answer: (name, answer) =>
      Effect.sync(() => {
        const first = recording.answers.get(name) ?? answer
        recording.answers.set(name, first)
        return first
      }),
    lasting: true,
    event: (event) => {
      recording.events.push(event)
    },
  }
}
