/** The journal of one run: everything goes into the run's file at once, as long as this process owns the run. */
import type { Json, OpenedRun } from "@planloom/plugin"
import { expiredAnswer, type Answer, type RunEvent, type StoredWait } from "@planloom/plugin/store"
import { failed, type RunFile, type RunFiles } from "./RunFiles.ts"

export const fileJournal = (
  files: RunFiles,
  run: string,
  epoch: number,
  scrub: (value: Json) => Json,
): Pick<OpenedRun, "journal" | "close"> => {
  let isAnswered = false
  const owned = (): RunFile => {
    const file = files.get(run)
    if (file.epoch !== epoch) throw failed("fenced", run)
    return file
  }
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
  return {
    journal: {
      lookup: (name) => {
        const known = files.get(run).steps.find((step) => step.name === name)
        // A process that lost the run must not start the effect.
        if (known === undefined) owned()
        return known?.outcome
      },
      record: (name, outcome, { now }) => {
        const file = owned()
        const step = { name, at: now, outcome: scrub(outcome as never) as never }
        files.put({ ...file, steps: [...file.steps, step] })
      },
      timer: (name, until) => {
        const file = owned()
        const known = file.timers[name]
        if (known === undefined) files.put({ ...file, timers: { ...file.timers, [name]: until } })
        return known ?? until
      },
      wait: (question, { now }) => {
        const file = owned()
        const known = file.waits.find(({ wait }) => wait.name === question.name)
        if (known === undefined) {
          const wait = { wait: scrub(question as never) as never, askedAt: now }
          files.put({ ...file, waits: [...file.waits, wait] })
          return { wait: question }
        }
        const expired = known.answer === undefined && expiredAnswer(known.wait, now)
        const { answer, wait } = expired ? answered(question.name, expired) : known
        return answer === undefined ? { wait } : { wait, answer }
      },
      answer: (name, given) => answered(name, given).answer!,
      event: (event) => {
        const file = owned()
        const { isHeld, ...change } = after(file, event)
        isAnswered ||= isHeld === false
        const events = [...file.events, scrub(event as never) as never]
        files.put({ ...file, ...change, events })
      },
    },
    close: () => {
      const { owner: _, silent: _s, ...file } = owned()
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
