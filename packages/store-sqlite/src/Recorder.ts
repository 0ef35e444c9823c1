/** Writes what one run has to say, in order, for as long as nobody has taken the run over. */
import type { Json, RecordedStep, RunEvent, RunStatus, StoreFailed } from "@planloom/plugin"
import type { Clock } from "effect/Clock"
import { isLarge, type Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import { packedEvents, WORTH_REFERRING } from "./packedEvents.ts"
import { cancels, events, runs, steps, waits } from "./sql.ts"
import { storeFailed, toStoreFailed } from "./toStoreFailed.ts"

/** Milliseconds after a write in which nobody can have taken the run over and recorded a step of it. */
const CERTAIN = 1

/** Milliseconds an event may stay in memory when no step takes it along. */
const LINGER = 100

export interface Held {
  readonly id: number
  readonly epoch: number
  /** Nothing was recorded of the run before. */
  readonly fresh: boolean
  readonly scrub: ((value: Json) => Json) | undefined
  readonly clock: Clock
}

export class Recorder {
  /** Why nothing can be recorded any more. */
  failure: StoreFailed | undefined
  /** That the run has ended or is suspended is recorded. */
  ended = false
  /** The run was to be suspended, but a question it waits for has been answered meanwhile. */
  answered = false
  private readonly database: Database
  private readonly bodies: Bodies
  private readonly path: string
  private readonly held: Held
  private pending: Array<RunEvent> = []
  /** What is pending must be written with the next step. */
  private urgent = false
  private timer: NodeJS.Timeout | undefined
  /** Of a fresh run: what it has recorded so far. */
  private readonly names = new Set<string>()
  /** Large values that steps have given since events were written, with the name of the step. */
  private readonly given = new Map<Json, string>()
  /** When a write last showed that nobody has taken the run over; milliseconds of `performance.now`. */
  private heldAt = performance.now()

  constructor(database: Database, bodies: Bodies, path: string, held: Held) {
    this.database = database
    this.bodies = bodies
    this.path = path
    this.held = held
  }

  /** Kept in memory at most `LINGER`, and never longer than a step that has it inside. Never throws. */
  event(event: RunEvent): void {
    if (this.failure !== undefined) return
    this.pending.push(event)
    this.urgent ||= !isToldAgain(event)
    this.timer ??= setTimeout(() => this.linger(), LINGER).unref()
  }

  /**
   * The step, and with it the events that a replay would not tell again once the step is recorded.
   * `locked` is worth another try; all else is final.
   */
  step(name: string, outcome: RecordedStep): StoreFailed | undefined {
    const { clock, epoch, id } = this.held
    const at = clock.currentTimeMillisUnsafe()
    const text = this.text(contentOf(outcome))
    const insert = () => {
      const { blob, body } = this.bodies.write(id, text)
      const ok = outcome.ok ? 1 : 0
      this.must(this.database.run(steps.insert, id, name, at, ok, body, blob, id, epoch))
    }
    const failure = this.urgent || isLarge(text) ? this.write(insert) : this.attempt(insert)
    if (failure === undefined) this.recorded(name, outcome, text.length)
    return failure
  }

  /** The step is in the file. `length` of its text, unless it is large. */
  recorded(name: string, outcome: RecordedStep, length = Number.POSITIVE_INFINITY): void {
    if (this.held.fresh) this.names.add(name)
    if (outcome.ok && length >= WORTH_REFERRING) this.given.set(outcome.value, name)
  }

  /** That the step is not recorded is certain without a look into the file. */
  isNew(name: string): boolean {
    return (
      this.held.fresh &&
      this.failure === undefined &&
      !this.names.has(name) &&
      performance.now() - this.heldAt < CERTAIN
    )
  }

  /**
   * The row of a step that is recorded, by whomever. Throws `fenced` for one that is not when the run was taken over:
   * a process that was frozen notices here, before the effect.
   */
  known(name: string): Row | undefined {
    const { epoch, id } = this.held
    const row = this.database.get(steps.held, name, id)
    if (row !== undefined && row["ok"] !== null) return row
    if (row?.["epoch"] !== epoch) throw storeFailed("fenced", this.path)
    this.heldAt = performance.now()
    return undefined
  }

  /** Any other write that only the holder may do; it must change a row. */
  change(sql: string, ...values: ReadonlyArray<string | number | null>): StoreFailed | undefined {
    const { epoch, id } = this.held
    return this.write(() => this.must(this.database.run(sql, ...values, id, epoch)))
  }

  /** A write that others may do as well. */
  also(sql: string, ...values: ReadonlyArray<string | number>): StoreFailed | undefined {
    return this.write(() => void this.database.run(sql, ...values))
  }

  flush(): StoreFailed | undefined {
    return this.pending.length === 0 ? this.failure : this.write(() => undefined)
  }

  /** Events that wait for a lock stay, and are written with what comes next. */
  private linger(): void {
    this.timer = undefined
    if (this.flush()?.reason === "locked" && this.pending.length > 0) {
      this.timer = setTimeout(() => this.linger(), LINGER).unref()
    }
  }

  private write(work: () => void): StoreFailed | undefined {
    return this.attempt(() => {
      this.database.transaction(() => {
        work()
        this.writePending()
      })
      this.pending = []
      this.given.clear()
      this.urgent = false
    })
  }

  private attempt(work: () => void): StoreFailed | undefined {
    if (this.failure !== undefined) return this.failure
    try {
      work()
      return undefined
    } catch (error) {
      const failure = toStoreFailed(error, this.path)
      if (failure.reason !== "locked") this.giveUp(failure)
      return failure
    }
  }

  giveUp(failure: StoreFailed): void {
    this.failure ??= failure
    this.pending = []
    this.given.clear()
    clearTimeout(this.timer)
  }

  private writePending(): void {
    const { pending } = this
    if (pending.length === 0) return
    const { epoch, id } = this.held
    const { blob, body } = this.bodies.write(id, this.packed())
    const first = pending[0]!.seq
    const last = pending.at(-1)!
    this.must(this.database.run(events.insert, id, first, last.seq, body, blob, id, epoch))
    if (last.type === "RunSuspended") return this.suspend(last)
    const ended = statusAfter(last)
    if (ended === undefined) return
    const failure = last.type === "RunFailed" ? last.failure.class : null
    this.must(this.database.run(runs.end, ended, last.at, failure, id, epoch))
    this.database.run(cancels.done, id)
    this.ended = true
  }

  /** In one transaction with the look for an answer: whoever answers later finds the run suspended. */
  private suspend({ waits: asked }: Extract<RunEvent, { readonly type: "RunSuspended" }>): void {
    const { epoch, id } = this.held
    for (const { name } of asked) this.must(this.database.run(waits.hold, epoch, id, name))
    this.answered = this.database.get(waits.answered, id, epoch) !== undefined
    if (this.answered) return
    const status = asked.every(({ kind }) => kind === "clarification")
      ? "clarification"
      : "suspended"
    this.must(this.database.run(runs.suspend, status, id, epoch))
    this.ended = true
  }

  private must(changes: number): void {
    if (changes === 0) throw storeFailed("fenced", this.path)
    this.heldAt = performance.now()
  }

  /** As it is written. */
  text(value: Json): string {
    return JSON.stringify(this.clean(value)) ?? "null"
  }

  private packed(): string {
    const { given, pending } = this
    const clean = this.clean(pending as unknown as Json) as unknown as typeof pending
    const stepOf = (index: number) => {
      const event = pending[index]!
      return event.type === "StageFinished" ? given.get(event.output) : undefined
    }
    return JSON.stringify(packedEvents(clean, stepOf))
  }

  private clean(value: Json): Json {
    const { scrub } = this.held
    return scrub === undefined ? value : scrub(value)
  }
}

/** Whoever goes on with the run tells these again when they are lost: they come from outside of steps. */
const isToldAgain = (event: RunEvent): boolean =>
  !("path" in event) || (!event.path.includes("/") && !insideSteps.has(event.type))

const insideSteps: ReadonlySet<RunEvent["type"]> = new Set([
  "ModelCalled",
  "ReplyRead",
  "Reasoned",
  "ToolCalled",
  "Asked",
  "Answered",
  "Progressed",
  "Noted",
])

export const contentOf = (outcome: RecordedStep): Json =>
  outcome.ok
    ? outcome.value
    : ({ tag: outcome.tag, failure: outcome.failure, of: outcome.of } as unknown as Json)

/** Undefined while the run goes on. */
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
