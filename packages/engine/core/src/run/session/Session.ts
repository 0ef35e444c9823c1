/** The session that a run is a turn of: loads turns and state into the run, and saves the new turn. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  failureClasses,
  userDigest,
  type Json,
  type JsonObject,
  type OpenedRun,
  type RunStore,
  type SessionChange,
  type SessionRecord,
  type SessionStore,
  type SessionTurn,
} from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import type { CompiledValue } from "@planloom/expression"
import { formatIssues } from "@planloom/schema"
import type { Pipeline, PipelineState } from "../../pipeline/Pipeline.ts"
import { isGated, type Frame } from "../Frame.ts"
import { mayQuoteIn, shownValue } from "../shown/showing.ts"
import type { RunScope } from "../RunScope.ts"
import type { RunState } from "../RunState.ts"
import { neverOpened, viewOf } from "./sessionView.ts"
import { foldTurns, type History } from "./foldTurns.ts"
import { turnNotes } from "./turnNotes.ts"
import { writes } from "../../tool/writes.ts"
import { seenEntities } from "./seenEntities.ts"
import { readSettled } from "./readSettled.ts"
import { loadSession } from "./loadSession.ts"
import { holdNextTurn } from "./ReviewedTurns.ts"
import { reviewMs } from "./reviewMs.ts"
import { nowhere, overtaken, undeclared } from "./refusedTurn.ts"
import type { Personal } from "../journal/personal.ts"
import { scrubber } from "../journal/scrub.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

export interface SessionBinding {
  readonly session: string
  /** Epoch of the run: only the newest may save its turn. */
  readonly epoch: number
  /** False for a run that reads the session and saves nothing. */
  readonly keeps: boolean
  /** Undefined without a session store. */
  readonly sessions: SessionStore | undefined
  readonly scrub: ((value: Json) => Json) | undefined
}

const openStep = ofRun("session")
const keepStep = ofRun("session_kept")

export class Session {
  readonly binding: SessionBinding
  private readonly pipeline: Pipeline
  private opened = neverOpened
  private history: History | undefined
  private state: JsonObject = {}
  private released: (() => void) | undefined

  constructor(binding: SessionBinding, pipeline: Pipeline) {
    this.binding = binding
    this.pipeline = pipeline
  }

  /** Loads turns and state into the scope. Dies with `StoreFailed` when they cannot be read. */
  open(frame: Frame): Effect.Effect<void, StageFailed> {
    const { session, sessions } = this.binding
    const wanted = this.pipeline.session
    if (wanted === undefined) return Effect.fail(undeclared(this.pipeline))
    const { state } = frame
    const begin = Effect.suspend(() =>
      sessions === undefined
        ? Effect.fail(nowhere(session))
        : loadSession(sessions, session, state.run),
    )
    return Effect.map(state.journal.step(openStep, begin), (opened) => {
      this.opened = opened
      const { reset, view } = viewOf(session, opened, wanted)
      Object.assign(frame.scope, { session: view } satisfies Partial<RunScope>)
      state.session = { id: session, turn: opened.version + 1, state: view.state }
      state.emit({
        type: "SessionOpened",
        session,
        version: opened.version,
        turns: view.turns.length,
        ...(reset.length === 0 ? {} : { reset }),
        ...(opened.unreviewed === undefined ? {} : { unreviewed: opened.unreviewed }),
      })
    })
  }

  /** The outputs leave and may still be corrected: the next turn of the session, in any process, waits for this one. */
  holdNext(run: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { epoch, keeps, session, sessions } = this.binding
      if (!keeps || sessions === undefined) return Effect.void
      this.released = holdNextTurn(sessions, session)
      const { version } = this.opened
      const ms = reviewMs(this.pipeline)
      return Effect.orDie(sessions.announce(session, { run, epoch, version, ms }))
    })
  }

  /** Called once the run has ended. */
  close(): void {
    this.released?.()
  }

  /** Evaluates what is kept of this turn, without writing it. */
  remember(frame: Frame): Effect.Effect<void, StageFailed> {
    return Effect.suspend(() => {
      const { assistant, request, state } = this.pipeline.session!
      const read = readSettled(frame)
      const user = textOf("request", tryEvaluate(request.evaluate, frame.scope))
      if (user instanceof StageFailed) return Effect.fail(plain(user, request, frame))
      const answered = textOf("assistant", read(assistant))
      if (answered instanceof StageFailed) return Effect.fail(plain(answered, assistant, frame))
      const next: { [name: string]: Json } = {}
      for (const one of state) {
        const given = read(one.value)
        const wrong =
          given instanceof StageFailed
            ? plain(given, one.value, frame)
            : stateMismatch(one, given, frame)
        if (wrong !== undefined) return Effect.fail(wrong)
        next[one.name] = given as Json
      }
      this.state = next
      const turn = { user, assistant: answered }
      if (!isGated(frame)) return this.fold(turn, frame)
      // The state is for stages: it passes the gate when something shows it.
      const shown = (whose: keyof typeof turn, compiled: CompiledValue) =>
        shownValue({ frame, name: ofRun("shown", ["session", whose]) }, turn[whose], compiled)
      return Effect.flatMap(shown("user", request), ({ value: said }) =>
        Effect.flatMap(shown("assistant", assistant), ({ value }) =>
          this.fold({ user: said, assistant: value }, frame),
        ),
      )
    })
  }

  private fold(turn: SessionTurn, frame: Frame): Effect.Effect<void> {
    const { pipeline, state } = frame
    const session = pipeline.session!
    const tools = state.toolsOf(pipeline)
    const notes =
      session.compact === undefined
        ? []
        : turnNotes(state.shownCalls(pipeline), (tool) => writes(tools.get(tool)?.tool ?? {}))
    const { summary, turns } = this.opened
    const last = notes.length === 0 ? turn : { ...turn, notes }
    const all = [...(turns as unknown as ReadonlyArray<SessionTurn>), last]
    return Effect.map(foldTurns({ summary, turns: all }, session, frame), (history) => {
      this.history = history
    })
  }

  /** Saves the turn, once. Fails with class `conflict` when another run has saved a turn since this one started. */
  save({ state }: Frame): Effect.Effect<void, StageFailed> {
    const { keeps, session } = this.binding
    if (!keeps) return Effect.void
    const keep = Effect.suspend(() =>
      Effect.orDie(this.binding.sessions!.save(session, this.change(state))),
    )
    return Effect.flatMap(
      state.journal.step(
        keepStep,
        Effect.map(keep, (given) => ({ ...given, run: given.saved ? null : (given.run ?? null) })),
      ),
      ({ run, saved, version }) =>
        saved ? Effect.void : Effect.fail(overtaken(session, { run, version })),
    )
  }

  private change(state: RunState): SessionChange {
    const { now, run, user } = state
    const calls = state.shownCalls(this.pipeline)
    const { epoch, scrub } = this.binding
    const { entities: bound } = this.pipeline.session!
    const { summary, turns } = this.history!
    const clean = <A extends Json>(value: A): A => (scrub === undefined ? value : scrub(value)) as A
    const { entities: before, version } = this.opened
    // A workflow that keeps none leaves those of other workflows of the session.
    const entities = bound === 0 ? before : seenEntities(before, calls, version + 1).slice(0, bound)
    const digest = userDigest(user)
    return {
      run,
      epoch,
      workflow: this.pipeline.name,
      ...(digest === undefined ? {} : { userDigest: digest }),
      after: this.opened.after ?? undefined,
      ...(summary === "" ? {} : { summary: clean(summary) }),
      turns: clean(turns as unknown as Json) as unknown as SessionRecord["turns"],
      // Keeps the state of other workflows of the same session.
      state: clean({ ...this.opened.state, ...this.state }),
      ...(entities.length === 0 ? {} : { entities: clean(entities) }),
      at: now(),
    }
  }
}

/** The session that the run's options or its record name. A fork reads its session and saves nothing. */
export const sessionOf = (
  pipeline: Pipeline,
  {
    secrets,
    session,
    sessions,
    store,
  }: {
    readonly session?: string
    readonly sessions?: SessionStore
    readonly store?: RunStore
    readonly secrets?: ReadonlyArray<string>
  },
  opened: OpenedRun | undefined,
  personal: Personal,
): Session | undefined => {
  const started = opened?.events.find((event) => event.type === "RunStarted")
  // Events may be lost with their process; what the store keeps of the run is not. A fork has only the event.
  const name = opened?.session ?? session ?? started?.session
  return name === undefined
    ? undefined
    : new Session(
        {
          session: name,
          sessions: sessions ?? store?.sessions,
          epoch: opened?.epoch ?? 1,
          keeps: opened?.events.some(({ type }) => type === "RunForked") !== true,
          scrub: scrubbing(scrubber(secrets ?? []), personal.scrub),
        },
        pipeline,
      )
}

type Scrub = (<A extends Json>(value: A) => A) | undefined

const scrubbing = (first: Scrub, second: Scrub): Scrub =>
  first === undefined || second === undefined ? (first ?? second) : (value) => second(first(value))

const stateMismatch = (
  { name, validate, value }: PipelineState,
  given: Json,
  frame: Frame,
): StageFailed | undefined => {
  const issues = validate(given)
  if (issues.length === 0) return undefined
  const what = `the state "${name}" does not fit its schema`
  return invalid(mayQuoteIn(frame, value) ? what : `${what}: ${formatIssues(issues)}`)
}

/** Without words of the value, where they would have to pass a gate. */
const plain = (failure: StageFailed, value: CompiledValue, frame: Frame): StageFailed =>
  mayQuoteIn(frame, value)
    ? new StageFailed({ class: failure.class, message: failureClasses[failure.class] })
    : failure

const textOf = (
  whose: "request" | "assistant",
  given: Json | StageFailed,
): string | StageFailed => {
  if (typeof given === "string" || given instanceof StageFailed) return given
  return invalid(`what a turn keeps of the ${whose} is not text`)
}

const invalid = (message: string) => new StageFailed({ class: "invalid_output", message })
