/** Writes the steps and events of one run in order, until another process takes the run over. */
import type { Json, RecordedStep, RunEvent, RunStatus, StoreFailed } from "@planloom/plugin/effect"
import type { Clock } from "effect/Clock"
import { isLarge, type Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import { packEvents, MIN_REFERENCE_CHARS } from "./packEvents.ts"
import { cancels, events, runs, steps, waits } from "./sql.ts"
import type { StoreFile } from "./StoreFile.ts"
import { storeFailed, toStoreFailed } from "./toStoreFailed.ts"

/** Time after a write within which no other process can have taken the run over and recorded a step. */
const OWNERSHIP_CERTAIN_MS = 1

/** Longest time an event stays in memory if no step is written with it. */
const MAX_EVENT_DELAY_MS = 100

export interface RunLease {
  readonly file: StoreFile
  readonly id: number
  readonly epoch: number
  /** Names of the steps that are recorded. */
  readonly steps: ReadonlyArray<string>
  readonly scrub: ((value: Json) => Json) | undefined
  readonly clock: Clock
  /** Called with events once they are in the file. Must not throw. */
  readonly onEvents: (events: ReadonlyArray<RunEvent>) => void
}

export class Recorder {
  /** The failure after which nothing more is recorded. */
  failure: StoreFailed | undefined
  /** Whether the end or the suspension of the run is recorded. */
  ended = false
  /** Whether the run was not suspended because a question it waits for has an answer. */
  answered = false
  private readonly database: Database
  private readonly bodies: Bodies
  private readonly path: string
  private readonly held: RunLease
  private pending: Array<RunEvent> = []
  /** Pending events must be written with the next step. */
  private urgent = false
  private timer: NodeJS.Timeout | undefined
  /** Steps recorded so far. */
  private readonly names: Set<string>
  /** Large outputs of steps since the last write of events, with the step's name. */
  private readonly stepOutputs = new Map<Json, string>()
  /** Time of the last write that confirmed the ownership; milliseconds of `performance.now`. */
  private heldAt = performance.now()

  constructor(database: Database, bodies: Bodies, path: string, held: RunLease) {
    this.database = database
    this.bodies = bodies
    this.path = path
    this.held = held
    this.names = new Set(held.steps)
  }

  /** Queues an event for at most `MAX_EVENT_DELAY_MS`, or until the step that contains it. Never throws. */
  event(event: RunEvent): void {
    if (this.failure !== undefined) return
    this.pending.push(event)
    this.urgent ||= !isReplayed(event)
    this.timer ??= setTimeout(() => this.flushLater(), MAX_EVENT_DELAY_MS).unref()
  }

  /**
   * Writes a step together with the events that a replay would not emit again once the step is recorded.
   * A `locked` failure can be retried; all others are final.
   */
  step(name: string, outcome: RecordedStep): StoreFailed | undefined {
    const { clock, epoch, id } = this.held
    const at = clock.currentTimeMillisUnsafe()
    const text = this.text(contentOf(outcome))
    const isShared = outcome.ok && outcome.isShared === true
    const insert = () => {
      const { blob, body } = this.bodies.write(id, text, isShared)
      const ok = outcome.ok ? 1 : 0
      this.requireChange(this.database.run(steps.insert, id, name, at, ok, body, blob, id, epoch))
    }
    const failure =
      this.urgent || isShared || isLarge(text) ? this.write(insert) : this.attempt(insert)
    if (failure === undefined) this.recorded(name, outcome, text.length)
    return failure
  }

  /** Notes that a step is in the file. `length`: characters of its text, unless it is large. */
  recorded(name: string, outcome: RecordedStep, length = Number.POSITIVE_INFINITY): void {
    this.names.add(name)
    if (outcome.ok && length >= MIN_REFERENCE_CHARS) this.stepOutputs.set(outcome.value, name)
  }

  /** Whether the step is certainly not recorded, without reading the file. */
  isNew(name: string): boolean {
    return (
      this.failure === undefined &&
      !this.names.has(name) &&
      performance.now() - this.heldAt < OWNERSHIP_CERTAIN_MS
    )
  }

  /**
   * The row of a recorded step, by any process. Throws `fenced` for an unrecorded step if the run was taken over: a
   * process that was frozen stops here, before the effect.
   */
  findStep(name: string): Row | undefined {
    const { epoch, id } = this.held
    const row = this.database.get(steps.held, name, id)
    if (row !== undefined && row["ok"] !== null) return row
    if (row?.["epoch"] !== epoch) throw storeFailed("fenced", this.path)
    this.heldAt = performance.now()
    return undefined
  }

  /** Writes something else as the owner; the statement must change a row. */
  writeAsOwner(
    sql: string,
    ...values: ReadonlyArray<string | number | null>
  ): StoreFailed | undefined {
    const { epoch, id } = this.held
    return this.write(() => this.requireChange(this.database.run(sql, ...values, id, epoch)))
  }

  /** Writes something that other processes may write too. */
  writeShared(
    sql: string,
    ...values: ReadonlyArray<string | number | null>
  ): StoreFailed | undefined {
    return this.write(() => void this.database.run(sql, ...values))
  }

  flush(): StoreFailed | undefined {
    return this.pending.length === 0 ? this.failure : this.write(() => undefined)
  }

  /** Writes pending events; if the file is locked, they stay pending. */
  private flushLater(): void {
    this.timer = undefined
    if (this.flush()?.reason === "locked" && this.pending.length > 0) {
      this.timer = setTimeout(() => this.flushLater(), MAX_EVENT_DELAY_MS).unref()
    }
  }

  private write(work: () => void): StoreFailed | undefined {
    return this.attempt(() => {
      let written: ReadonlyArray<RunEvent> = []
      this.database.transaction(() => {
        work()
        written = this.writePending()
      })
      this.pending = []
      this.stepOutputs.clear()
      this.urgent = false
      if (written.length > 0) this.held.onEvents(written)
    })
  }

  private attempt(work: () => void): StoreFailed | undefined {
    if (this.failure !== undefined) return this.failure
    try {
      this.held.file.requireStillPresent()
      work()
      return undefined
    } catch (error) {
      const failure = toStoreFailed(error, this.path)
      if (failure.reason !== "locked") this.fail(failure)
      return failure
    }
  }

  fail(failure: StoreFailed): void {
    this.failure ??= failure
    this.pending = []
    this.stepOutputs.clear()
    clearTimeout(this.timer)
  }

  /** The pending events, as they are in the file. */
  private writePending(): ReadonlyArray<RunEvent> {
    const { pending } = this
    if (pending.length === 0) return pending
    const { epoch, id } = this.held
    const scrubbed = this.scrub(pending as unknown as Json) as unknown as typeof pending
    const { blob, body } = this.bodies.write(id, this.packed(scrubbed))
    const first = pending[0]!.seq
    const last = pending.at(-1)!
    this.requireChange(this.database.run(events.insert, id, first, last.seq, body, blob, id, epoch))
    if (last.type === "RunSuspended") this.suspend(last)
    const ended = statusAfter(last)
    if (ended !== undefined) {
      const failure = last.type === "RunFailed" ? last.failure.class : null
      this.requireChange(this.database.run(runs.end, ended, last.at, failure, id, epoch))
      this.database.run(cancels.done, id)
      this.ended = true
    }
    return scrubbed
  }

  /** Runs in one transaction with the check for an answer, so that a later answer finds the run suspended. */
  private suspend({
    waits: questions,
  }: Extract<RunEvent, { readonly type: "RunSuspended" }>): void {
    const { epoch, id } = this.held
    for (const { name } of questions)
      this.requireChange(this.database.run(waits.hold, epoch, id, name))
    this.answered = this.database.get(waits.answered, id, epoch) !== undefined
    if (this.answered) return
    const status = questions.every(({ kind }) => kind === "clarification")
      ? "clarification"
      : "suspended"
    this.requireChange(this.database.run(runs.suspend, status, id, epoch))
    this.ended = true
  }

  private requireChange(changes: number): void {
    if (changes === 0) throw storeFailed("fenced", this.path)
    this.heldAt = performance.now()
  }

  /** The JSON text to store. */
  text(value: Json): string {
    return JSON.stringify(this.scrub(value)) ?? "null"
  }

  private packed(scrubbed: ReadonlyArray<RunEvent>): string {
    const { pending, stepOutputs } = this
    const stepOf = (index: number) => {
      const event = pending[index]!
      return event.type === "StageFinished" ? stepOutputs.get(event.output) : undefined
    }
    return JSON.stringify(packEvents(scrubbed, stepOf))
  }

  private scrub(value: Json): Json {
    const { scrub } = this.held
    return scrub === undefined ? value : scrub(value)
  }
}

/** Whether a resumed run emits a lost event again: it comes from outside of steps. */
const isReplayed = (event: RunEvent): boolean =>
  !("path" in event) || (!event.path.includes("/") && !insideSteps.has(event.type))

const insideSteps: ReadonlySet<RunEvent["type"]> = new Set([
  "ModelCalled",
  "SearchDegraded",
  "ReplyRead",
  "Reasoned",
  "ToolCalled",
  "Asked",
  "Answered",
  "Progressed",
  "ToolProgressed",
  "Noted",
  "HookRan",
  "Reviewed",
])

export const contentOf = (outcome: RecordedStep): Json =>
  outcome.ok
    ? outcome.value
    : ({ tag: outcome.tag, failure: outcome.failure, of: outcome.of } as unknown as Json)

/** The status after an event; undefined while the run continues. */
const statusAfter = (event: RunEvent): RunStatus | undefined => {
  switch (event.type) {
    case "RunFinished":
      return "succeeded"
    case "RunFailed":
      return event.failure.class === "clarification" ? "clarification" : "failed"
    case "RunCancelled":
      return "cancelled"
    default:
      return undefined
  }
}
