/** State of one run in this process: its events, journal, limits and attempts. */
import type { Clock } from "effect/Clock"
import type { Effect } from "effect/Effect"
import type {
  BudgetLedger,
  CallRecord,
  CallSession,
  Collection,
  ConcurrencyLimiter,
  Journal,
  Json,
  JsonObject,
  ModelSwaps,
  RateLimiter,
  RunEvent,
  StageFailed,
  Untimed,
} from "@planloom/plugin/effect"
import type { LiveTools, ToolRegistry } from "@planloom/language"
import type { Node, Pipeline } from "../pipeline/Pipeline.ts"
import type { PromptTable } from "@planloom/prompt"
import type { Cassette } from "../model/Cassette.ts"
import type { SentRequest } from "../model/SentRequest.ts"
import type { AnswerNow } from "./AnswerNow.ts"
import { RunFold } from "./RunFold.ts"
import type { Place } from "./stage/Place.ts"
import { Deadlines } from "./policy/Deadlines.ts"
import type { Cancellation } from "./policy/Cancellation.ts"
import { PriorSpending } from "./journal/PriorSpending.ts"
import { scrubValue, type Secrets } from "./journal/scrub.ts"
import type { OutputParts } from "../reply/parts/OutputParts.ts"
import { SettledTexts } from "./shown/SettledTexts.ts"
import type { CallIdentity, Hiding } from "../tool/identity/CallIdentity.ts"
import { MadeCalls } from "../tool/identity/MadeCalls.ts"
import { writes } from "../tool/writes.ts"
import { effectiveEvents } from "./journal/effectiveEvents.ts"
import { RunCalls } from "./journal/RunCalls.ts"
import { isEnd, EmittedEvents } from "./journal/EmittedEvents.ts"
import { RunTools } from "./surroundings/RunTools.ts"

/** Called with each event, in order. Must be fast and must not throw. */
export type Listener = (event: RunEvent) => void

interface Stamp {
  seq: number
  at: number
}

/** Emits outputs of a workflow as soon as every stage that they read has ended. */
export interface EarlyEmitter {
  readonly pipeline: Pipeline
  readonly end: (node: Node) => Effect<void, StageFailed> | undefined
}

/** A pipeline and those that its stages run. */
const numbered = (
  pipeline: Pipeline | undefined,
  numbers = new Map<Pipeline, number>(),
): Map<Pipeline, number> => {
  if (pipeline === undefined) return numbers
  if (!numbers.has(pipeline)) numbers.set(pipeline, numbers.size)
  for (const inner of pipeline.workflows.values()) numbered(inner, numbers)
  return numbers
}

export class RunState {
  readonly run: string
  readonly journal: Journal
  /** Records failures of work that contains stages, past `cancellation`, which holds only the steps inside. */
  readonly outcome: Journal["step"]
  readonly concurrencyLimiter: ConcurrencyLimiter
  readonly rateLimiter: RateLimiter
  readonly cassette: Cassette | undefined
  /** Budget of the host, spent by other runs too. */
  readonly shared: BudgetLedger | undefined
  readonly answer: AnswerNow | undefined
  /** Empty for a workflow without users. */
  readonly user: JsonObject
  /** Of the outermost workflow. */
  readonly roots: ReadonlyArray<string>
  private readonly workspaceOf: () => string
  private folder: string | undefined
  private limits: Deadlines | undefined
  private readonly clock: Clock
  private readonly listener: Listener | undefined
  private readonly fold = new RunFold()
  private readonly scrub: ((event: RunEvent) => RunEvent) | undefined
  private attempts: Map<string, number> | undefined
  private emitted: EmittedEvents | undefined
  /** Set for a resumed run. */
  priorSpending: PriorSpending | undefined
  private seq = 0
  /** When the last event was emitted. */
  emittedAt = 0
  /** Set for a workflow with streamed outputs, if the host reads parts. */
  readonly parts: OutputParts | undefined
  readonly onReview: (() => void) | undefined
  /** Takes requests to models, without secrets. */
  readonly onRequest: ((request: SentRequest) => void) | undefined
  /** Follows which component's code executes. */
  readonly onPlace: ((place: Place | undefined) => void) | undefined
  /** Fails when the run has to end for a reason outside of its effects. */
  readonly failure: Effect<never, StageFailed> | undefined
  readonly secrets: Secrets | undefined
  /** Puts placeholders in place of personal texts; undefined for a run without any. */
  readonly hidePersonal: (<A extends Json>(value: A) => A) | undefined
  /** Models that the host keeps in place of those of the file. */
  readonly models: ModelSwaps | undefined
  /** Prompts with texts of the host, by the pipeline that they belong to. */
  pinned: ReadonlyMap<Pipeline, PromptTable> | undefined
  /** Set for a workflow with outputs that do not wait for the end. */
  early: EarlyEmitter | undefined
  /** The session that the run is a turn of, once it is open. */
  session: CallSession | undefined
  private madeCalls: RunCalls | undefined
  private changing: Map<Pipeline, RunTools> | undefined
  private reusable: MadeCalls | undefined
  /** The outermost workflow. */
  private root: Pipeline | undefined
  /** By workflow, in the order in which they are declared. */
  private numbers: Map<Pipeline, number> | undefined
  /** Whether a stage of the run may be answered by calls of another one. */
  keepsResults = false
  private hidden: Hiding | undefined
  readonly collection: (name: string) => Collection
  /** Outputs that have left the run, by name. */
  responses: Map<string, Json> | undefined
  private settledTexts: SettledTexts | undefined
  /** Outputs whose texts later reviews have retracted or replaced. */
  withdrawn: Set<string> | undefined
  /** Cancels the run on request. */
  readonly cancellation: Cancellation | undefined
  /** Number of earlier ends of this run: each end runs `finally` once. */
  endings = 0

  constructor(given: {
    readonly run: string
    readonly journal: Journal
    readonly cancellation?: Cancellation | undefined
    readonly concurrencyLimiter: ConcurrencyLimiter
    readonly rateLimiter: RateLimiter
    readonly cassette: Cassette | undefined
    readonly shared: BudgetLedger | undefined
    readonly answer: AnswerNow | undefined
    readonly collection: (name: string) => Collection
    /** Path of the run's own folder; called once, by the first call of a tool. */
    readonly workspace: () => string
    readonly roots: ReadonlyArray<string>
    readonly user: JsonObject
    readonly clock: Clock
    readonly listener: Listener | undefined
    readonly secrets: Secrets | undefined
    readonly hidePersonal: (<A extends Json>(value: A) => A) | undefined
    readonly parts: OutputParts | undefined
    readonly onReview: (() => void) | undefined
    readonly onRequest: ((request: SentRequest) => void) | undefined
    readonly onPlace: ((place: Place | undefined) => void) | undefined
    readonly failure: Effect<never, StageFailed> | undefined
    readonly models: ModelSwaps | undefined
    /** Events that earlier processes emitted for this run. */
    readonly earlier: ReadonlyArray<RunEvent> | undefined
  }) {
    this.run = given.run
    this.cancellation = given.cancellation
    this.endings = given.cancellation?.endings ?? 0
    this.journal = given.cancellation?.journal(given.journal) ?? given.journal
    this.outcome = given.journal.step
    this.concurrencyLimiter = given.concurrencyLimiter
    this.rateLimiter = given.rateLimiter
    this.cassette = given.cassette
    this.shared = given.shared
    this.answer = given.answer
    this.collection = given.collection
    this.workspaceOf = given.workspace
    this.roots = given.roots
    this.user = given.user
    this.clock = given.clock
    this.listener = given.listener
    this.secrets = given.secrets
    this.hidePersonal = given.hidePersonal
    this.scrub = given.secrets && scrubValue(given.secrets)
    this.parts = given.parts
    this.onReview = given.onReview
    this.onRequest = given.onRequest
    this.onPlace = given.onPlace
    this.failure = given.failure
    this.models = given.models
    if (given.earlier !== undefined) this.resume(given.earlier)
  }

  get deadlines(): Deadlines {
    return (this.limits ??= new Deadlines(this.now))
  }

  /** Leaves nothing behind that would keep the process alive. */
  close(): void {
    this.limits?.close()
  }

  /** Texts that have passed a gate. */
  get settled(): SettledTexts {
    return (this.settledTexts ??= new SettledTexts())
  }

  /** The run's own folder. */
  get workspace(): string {
    return (this.folder ??= this.workspaceOf())
  }

  readonly now = (): number => this.clock.currentTimeMillisUnsafe()

  /**
   * Numbers and timestamps the event, then passes it to fold, journal and listener. Mutates the object. `at` is the time
   * where it has just been read: reading the clock takes longer than all else that an event takes.
   */
  readonly emit = (untimed: Untimed<RunEvent> & Partial<Stamp>, at = this.now()): void => {
    const timed = untimed as unknown as Stamp
    timed.seq = this.seq++
    timed.at = at
    this.emittedAt = at
    const plain = timed as RunEvent
    const event = this.scrub === undefined ? plain : this.scrub(plain)
    this.priorSpending?.observe(event)
    if (event.type === "Noted") this.made.observe(event)
    if (this.emitted?.holds(event) === true) {
      this.seq--
      return
    }
    this.fold.push(event)
    this.journal.event(event)
    this.listener?.(event)
  }

  /** The workflow of the run: it and those that its stages run are numbered. */
  enroll(pipeline: Pipeline): void {
    this.root = pipeline
    this.keepsResults = pipeline.reusesCalls
  }

  // Most runs call no tool.

  private get made(): RunCalls {
    return (this.madeCalls ??= new RunCalls())
  }

  get equalCalls(): MadeCalls {
    return (this.reusable ??= new MadeCalls())
  }

  /** The tools of a pipeline: those that its stages took last, if its sources may list others in the run. */
  toolsOf(pipeline: Pipeline): ToolRegistry {
    const { liveTools } = pipeline
    return liveTools === undefined ? pipeline.tools : this.toolsIn(pipeline, liveTools).current
  }

  toolsIn(pipeline: Pipeline, live: LiveTools): RunTools {
    this.changing ??= new Map()
    let tools = this.changing.get(pipeline)
    if (tools === undefined) this.changing.set(pipeline, (tools = new RunTools(live, this.journal)))
    return tools
  }

  /** Number of a workflow of the run, the same in a resumed run. */
  numberOf(pipeline: Pipeline): number {
    if (pipeline === this.root) return 0
    this.numbers ??= numbered(this.root)
    return this.numbers.get(pipeline) ?? 0
  }

  /** The functions that hide personal values and secrets in records of the run. */
  get hiding(): Hiding {
    const { hidePersonal, secrets } = this
    return (this.hidden ??= {
      personal: hidePersonal,
      secrets: secrets && scrubValue(secrets),
    })
  }

  /** Tool calls so far, without their results. */
  get calls(): ReadonlyArray<CallRecord> {
    return this.made.all
  }

  /** Tool calls whose results the user of a session may know. */
  shownCalls(pipeline: Pipeline): ReadonlyArray<CallRecord> {
    const tools = this.toolsOf(pipeline)
    return this.made.shown(({ ok, tool }) => ok && writes(tools.get(tool)?.tool ?? {}))
  }

  called(call: CallRecord, identity: CallIdentity | undefined): void {
    this.made.add(call, identity)
  }

  private resume(earlier: ReadonlyArray<RunEvent>): void {
    for (const event of earlier) {
      this.fold.push(event)
      if (isEnd(event)) this.endings++
    }
    this.seq = (earlier.at(-1)?.seq ?? -1) + 1
    this.made.resume(earlier)
    this.equalCalls.resume(effectiveEvents(earlier))
    this.emitted = new EmittedEvents(earlier)
    this.priorSpending = new PriorSpending(earlier, this.shared)
  }

  /** Records the number of the attempt that a stage occurrence is in. */
  tried(path: string, attempt: number): void {
    this.attempts ??= new Map()
    this.attempts.set(path, attempt)
  }

  attemptsOf(path: string): number {
    return this.attempts?.get(path) ?? 1
  }

  result() {
    return this.fold.result()
  }
}
