/** One attempt of a stage as a call site: records and counts its calls, and ends them together when it is suspended. */
import * as Effect from "effect/Effect"
import {
  Suspended,
  type Answer,
  type CallRecord,
  type Failure,
  type FailureRecord,
  type Journal,
  type Json,
  type JsonObject,
  type RunEvent,
  type StageFailed,
  type Untimed,
  type Wait,
  type BudgetLedger,
  type RateLimiter,
} from "@planloom/plugin/effect"
import { attemptName, below } from "@planloom/plugin/segments"
import { CallHooks } from "../../../hook/CallHooks.ts"
import type { LiveTools, ToolRegistry } from "@planloom/language"
import type { Ledger } from "../../../model/limit/Ledger.ts"
import type { CallSite } from "../../../model/CallSite.ts"
import type { CassetteCall } from "../../../model/Cassette.ts"
import type { ImageFiles } from "../../../model/ImageFiles.ts"
import type { KindWork } from "../../../pipeline/Pipeline.ts"
import type { Documents } from "./Documents.ts"
import type { CallIdentity } from "../../../tool/identity/CallIdentity.ts"
import type { BuiltRecord } from "../../../tool/identity/CallList.ts"
import { memoryJournal } from "../../journal/journals.ts"
import { InFlight } from "../../policy/InFlight.ts"
import { answerTo } from "../question.ts"
import { CallSurroundings } from "../../surroundings/CallSurroundings.ts"
import type { Frame } from "../../Frame.ts"
import type { HookSite } from "../../../hook/HookSite.ts"
import { hookSite } from "../../surroundings/hookSite.ts"
import type { KindOccurrence } from "../Occurrence.ts"
import { suspensionIn } from "../suspension.ts"
import { OwnCalls } from "./OwnCalls.ts"

/** A question as first recorded, with its answer. */
interface Answered {
  readonly wait: Wait
  readonly answer: Answer
}

const nothing = (): JsonObject => ({})

// As of an occurrence, only the constructors set the fields.

export class Attempt implements CallSite {
  declare readonly attempt: number
  declare readonly previous: FailureRecord | undefined
  declare readonly occurrence: KindOccurrence
  declare images: ImageFiles | undefined
  /** Undefined until it reads one. */
  declare documents: Documents | undefined
  /** What the kind was given, after hooks; undefined before it starts. */
  declare input: Json | undefined
  declare private readonly inFlight: InFlight | undefined
  declare readonly isInside: boolean
  /** Calls of the attempt itself, of which most attempts make none. */
  declare private ownCalls: OwnCalls | undefined
  declare private made: CallHooks | undefined
  /** Undefined for a workflow whose tools are fixed. */
  declare private taken: ToolRegistry | undefined
  declare private counts: { [what: string]: number } | undefined
  declare private name: string | undefined

  constructor(occurrence: KindOccurrence, attempt: number, previous: FailureRecord | undefined) {
    this.occurrence = occurrence
    this.attempt = attempt
    this.previous = previous
    this.images = undefined
    this.documents = undefined
    this.input = undefined
    this.inFlight = occurrence.frame.state.journal.lasting ? new InFlight() : undefined
    this.isInside = false
    this.ownCalls = undefined
    this.made = undefined
    this.counts = undefined
    this.taken = undefined
    this.name = undefined
  }

  /** Takes the newest tools: at the start of the attempt, and between the turns of a model. */
  newestTools(live: LiveTools): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { pipeline, state } = this.frame
      const name = below(this.attemptPath, "tools", this.next("tools"))
      return Effect.map(state.toolsIn(pipeline, live).take(name), (registry) => {
        this.taken = registry
      })
    })
  }

  /** Numbers what the attempt does of a kind, from 1: calls are recorded under it. */
  protected next(what: string): number {
    const counts = (this.counts ??= {})
    return (counts[what] = (counts[what] ?? 0) + 1)
  }

  get path(): string {
    return this.occurrence.path
  }

  get stage(): string {
    return this.occurrence.node.id
  }

  get run(): string {
    return this.frame.state.run
  }

  get attemptPath(): string {
    return (this.name ??= attemptName(this.occurrence, this.attempt))
  }

  get budgets(): ReadonlyArray<Ledger> {
    return this.occurrence.budgets
  }

  get shared(): BudgetLedger | undefined {
    return this.frame.state.shared
  }

  get rateLimiter(): RateLimiter {
    return this.frame.state.rateLimiter
  }

  get frame(): Frame {
    return this.occurrence.frame
  }

  get registry(): ToolRegistry {
    return this.taken ?? this.frame.state.toolsOf(this.frame.pipeline)
  }

  get work(): KindWork {
    return this.occurrence.node.work
  }

  /** Reasoning of its models is for the review queue. */
  get hidesReasoning(): boolean {
    return (this.occurrence.node.gate ?? this.frame.around) !== undefined
  }

  get hooks(): CallHooks | undefined {
    const { hooks } = this.occurrence.node
    if (hooks === undefined) return undefined
    return (this.made ??= new CallHooks(hooks, this.hookSite))
  }

  private get own(): OwnCalls {
    return (this.ownCalls ??= new OwnCalls())
  }

  get hookSite(): HookSite {
    const { frame, path, stage } = this
    return hookSite(frame, new CallSurroundings(frame, path, stage, this.own))
  }

  get calls(): ReadonlyArray<CallRecord> {
    return new CallSurroundings(this.frame, this.path, this.stage, this.own).calls
  }

  complement(record: BuiltRecord): void {
    this.ownCalls?.complement(record)
  }

  /** Numbers a tool call. */
  protected startCall(): number {
    return this.own.start()
  }

  called(call: CallRecord, number: number, identity: CallIdentity | undefined): void {
    this.own.end(call, number, identity)
    this.frame.state.called(call, identity)
  }

  get lookup(): Journal["lookup"] {
    return this.frame.state.journal.lookup
  }

  get records(): boolean {
    const { cassette, journal } = this.frame.state
    return journal.lasting || cassette !== undefined
  }

  get isPlain(): boolean {
    const { cassette, journal } = this.frame.state
    return journal === memoryJournal && cassette === undefined
  }

  get replays(): boolean {
    return this.frame.state.cassette?.replays === true
  }

  clock(): number {
    return this.frame.state.now()
  }

  get sent(): CallSite["sent"] {
    const { onRequest } = this.frame.state
    return onRequest && ((request) => onRequest({ ...request, attempt: this.attempt }))
  }

  emit(event: Untimed<RunEvent>, at?: number): void {
    this.frame.state.emit(event, at)
  }

  record<A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
    about: () => JsonObject = nothing,
    isHooked = false,
  ): Effect.Effect<A, E, R> {
    return this.during(
      this.frame.state.journal.step(name, this.onCassette(name, effect, about, isHooked)),
    )
  }

  /** The call as a cassette holds it, which is no record of the run. */
  protected onCassette<A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
    about: () => JsonObject = nothing,
    isHooked = false,
  ): Effect.Effect<A, E, R> {
    const { cassette } = this.frame.state
    return cassette === undefined || (isHooked && cassette.runsHooks === true)
      ? effect
      : cassette.call(this.callOf(name, about), effect)
  }

  between<A extends Json, E extends Failure, R>(
    name: string,
    call: Effect.Effect<A, E, R>,
    about: () => Pick<CassetteCall, "about" | "sections">,
  ): Effect.Effect<A, E, R> {
    const { cassette } = this.frame.state
    return cassette?.runsHooks === true
      ? cassette.call({ path: this.path, name, ...about() }, call)
      : call
  }

  private callOf(name: string, about: () => JsonObject): CassetteCall {
    const { input, path } = this
    return about === nothing && input !== undefined
      ? { path, name, about: about(), input }
      : { path, name, about: about() }
  }

  /** The attempt, whose end does not count once it was suspended. */
  guarded<A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.inFlight === undefined || !Effect.isEffect(attempt)
      ? attempt
      : this.inFlight.guard(attempt)
  }

  /** Puts a question; with no answer the attempt waits for its other calls to end, then dies. */
  put(wait: Wait): Effect.Effect<Answered, StageFailed> {
    return Effect.flatMap(
      this.during(answerTo(this.frame, this.stage, wait)),
      ({ answer, wait: kept }) =>
        answer === undefined ? this.suspend([kept]) : Effect.succeed({ answer, wait: kept }),
    )
  }

  /** Work that may put questions of its own: they are the attempt's, too. */
  protected holding<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.inFlight === undefined
      ? work
      : Effect.catchCause(this.inFlight.during(work), (cause) => {
          const suspended = suspensionIn(cause)
          return suspended === undefined ? Effect.failCause(cause) : this.suspend(suspended.waits)
        })
  }

  protected during<A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.inFlight === undefined ? call : this.inFlight.during(call)
  }

  private suspend(waits: ReadonlyArray<Wait>): Effect.Effect<never> {
    return this.inFlight === undefined
      ? Effect.die(new Suspended({ waits }))
      : this.inFlight.park(waits)
  }
}
