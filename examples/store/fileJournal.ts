/** The journal of one run: everything goes into the run's file at once, as long as this process owns the run. */
import {
  expiredAnswer,
  journalStep,
  sleepUntil,
  StoreFailed,
  type Answer,
  type Journal,
  type Json,
  type RunEvent,
  type StoredWait,
} from "@planloom/plugin/store"
import type { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"
import { failed, type RunFile, type RunFiles } from "./RunFiles.ts"

export interface FileJournal {
  readonly journal: Journal
  /** Releases the run; whether one of the questions it was about to wait for has an answer. */
  readonly close: () => "closed" | "answered"
}

export const fileJournal = (
  files: RunFiles,
  run: string,
  epoch: number,
  scrub: (value: Json) => Json,
  clock: Clock,
): FileJournal => {
  let failure: StoreFailed | undefined
  let isAnswered = false
  const now = () => clock.currentTimeMillisUnsafe()
  const owned = (): RunFile => {
    const file = files.get(run)
    if (file.epoch !== epoch) throw failed("fenced", run)
    return file
  }
  /** After a failure nothing more is recorded. */
  const recording = <A>(work: () => A): A => {
    if (failure !== undefined) throw failure
    try {
      return work()
    } catch (error) {
      failure =
        error instanceof StoreFailed
          ? error
          : new StoreFailed({ reason: "unavailable", message: String(error) })
      throw failure
    }
  }
  const recorded = <A>(work: () => A): Effect.Effect<A> => Effect.sync(() => recording(work))
  const answered = (name: string, given: Answer): StoredWait => {
    const file = files.get(run)
    const waits = file.waits.map((one) =>
      one.wait.name === name && one.answer === undefined
        ? { ...one, answer: { ...given, value: scrub(given.value) } }
        : one,
    )
    files.put({ ...file, waits })
    return waits.find(({ wait }) => wait.name === name)!
  }

  const lookup: Journal["lookup"] = (name) =>
    recorded(() => {
      const known = files.get(run).steps.find((step) => step.name === name)
      // A process that lost the run must not start the effect.
      if (known === undefined) owned()
      return known?.outcome
    })
  const record: Journal["record"] = (name, outcome) =>
    recorded(() => {
      const file = owned()
      const step = { name, at: now(), outcome: scrub(outcome as never) as never }
      files.put({ ...file, steps: [...file.steps, step] })
    })

  const journal: Journal = {
    lasting: true,
    lookup,
    record,
    step: journalStep({ lookup, record }),
    sleep: (name, until) =>
      Effect.flatMap(
        recorded(() => {
          const file = owned()
          const known = file.timers[name]
          if (known === undefined) files.put({ ...file, timers: { ...file.timers, [name]: until } })
          return known ?? until
        }),
        sleepUntil,
      ),
    wait: (question) =>
      Effect.clockWith((current) =>
        recorded(() => {
          const file = owned()
          const at = current.currentTimeMillisUnsafe()
          const known = file.waits.find(({ wait }) => wait.name === question.name)
          if (known === undefined) {
            const wait = { wait: scrub(question as never) as never, askedAt: at }
            files.put({ ...file, waits: [...file.waits, wait] })
            return { wait: question }
          }
          const expired = known.answer === undefined && expiredAnswer(known.wait, at)
          const { answer, wait } = expired ? answered(question.name, expired) : known
          return answer === undefined ? { wait } : { wait, answer }
        }),
      ),
    answer: (name, given) => recorded(() => answered(name, given).answer!),
    event: (event) => {
      try {
        recording(() => {
          const file = owned()
          const { isHeld, ...change } = after(file, event)
          isAnswered ||= isHeld === false
          files.put({
            ...file,
            ...change,
            events: [...file.events, scrub(event as never) as never],
          })
        })
      } catch {
        // Kept in `failure`: the next step ends the run, and so does closing it.
      }
    },
  }
  return {
    journal,
    close: () => {
      if (failure !== undefined) throw failure
      const { owner: _, ...file } = owned()
      files.put(file)
      return isAnswered ? "answered" : "closed"
    },
  }
}

/** What an event says of its run; `isHeld`: whether it now waits for an answer. */
const after = (
  file: RunFile,
  event: RunEvent,
): Partial<RunFile> & { readonly isHeld?: boolean } => {
  switch (event.type) {
    case "RunSuspended": {
      const held = event.waits.map(({ name }) => name)
      const isHeld = !file.waits.some(({ answer, wait }) => answer && held.includes(wait.name))
      const isClarification = event.waits.every(({ kind }) => kind === "clarification")
      return isHeld
        ? { held, isHeld, status: isClarification ? "clarification" : "suspended" }
        : { held, isHeld }
    }
    case "RunFinished":
      return { status: "succeeded", finishedAt: event.at }
    case "RunCancelled":
      return { status: "cancelled", finishedAt: event.at }
    case "RunFailed":
      return {
        status: event.failure.class === "clarification" ? "clarification" : "failed",
        failedWith: event.failure.class,
        finishedAt: event.at,
      }
    default:
      return {}
  }
}
