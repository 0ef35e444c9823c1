/** Calls of earlier runs in memory: a call that asks the same again is answered, any other one is made. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import {
  recordedStep,
  replayed,
  ToolFailed,
  type Failure,
  type Json,
  type JsonObject,
  type RecordedStep,
} from "@planloom/plugin/effect"
import { memoryJournal } from "@planloom/core"
import type { Cassette, RunResult } from "@planloom/core"
import type { CassetteCall } from "@planloom/core/internal"
import type { Exit } from "effect/Exit"
import { draws, endsIn, isBelow } from "@planloom/plugin/segments"

type Journal = typeof memoryJournal

/** Versions of what answers calls: a call is stale if what answers it has changed. */
export interface Versions {
  /** The code of the model's provider. */
  readonly model: (model: string) => string
  /** The code of the tool, and the files that it was given. */
  readonly tool: (tool: string) => string
  /** All code of the project. */
  readonly code: string
  /** All texts of the workflow. */
  readonly texts: string
}

/** Decides about a call of a tool that changes something. */
export type MayWrite = (call: {
  readonly tool: string
  readonly params: JsonObject
  readonly path: string
}) => Effect.Effect<boolean>

export interface MemoryOptions {
  readonly versions: Versions
  /** Whether calls of this tool change something. */
  readonly writes: (tool: string) => boolean
  readonly mayWrite: MayWrite
}

export type CallKind = "model" | "tool" | "search" | "step"

/** A call of one run. */
export interface MadeCall {
  readonly kind: CallKind
  readonly path: string
  readonly name: string
  readonly about: JsonObject
  readonly sections: CassetteCall["sections"]
  /** False for a call that was answered from memory. */
  readonly isLive: boolean
  /** Undefined for a call that was interrupted. */
  readonly step: RecordedStep | undefined
}

/** What one run uses, and what it called. */
export interface MemoryRun {
  readonly cassette: Cassette
  readonly journal: Journal
  /** In the order in which the calls ended. */
  readonly calls: ReadonlyArray<MadeCall>
  /** Keeps failures that a stage survived; calls it when the run has ended. */
  readonly settle: (result: RunResult) => void
}

export class CallMemory {
  /** By path, name and digest: what an edit changes and a later one changes back is answered. */
  private readonly entries = new Map<string, RecordedStep>()
  /** Calls of models and tools by digest alone: items that have moved and stages with another id find theirs. */
  private readonly contents = new Map<string, Array<RecordedStep>>()
  /** The last outcome of each call, by path and name. */
  private readonly last = new Map<string, string>()
  /** Events of models that tools have asked, by the name of the record. */
  private readonly toolEvents = new Map<string, Json>()

  /** Forgets every call: the next run makes all of them. */
  clear(): void {
    this.entries.clear()
    this.contents.clear()
    this.last.clear()
    this.toolEvents.clear()
  }

  /** For one run. */
  open({ mayWrite, versions, writes }: MemoryOptions): MemoryRun {
    const calls: Array<MadeCall> = []
    /** Failures of this run, kept once it is known that their stage survived them. */
    const failures: Array<{ readonly path: string; readonly keep: () => void }> = []
    const live = new Set<string>()
    /** Occurrences of which a call has another outcome than before. */
    const changed = new Set<string>()
    const used = new Set<RecordedStep>()

    const keep = (place: string, digest: string, kind: CallKind, step: RecordedStep) => {
      used.add(step)
      this.entries.set(`${place}\n${digest}`, step)
      if (!isShared(kind)) return
      const alike = this.contents.get(digest)
      if (alike === undefined) this.contents.set(digest, [step])
      else alike.push(step)
    }

    const find = (place: string, digest: string, kind: CallKind): RecordedStep | undefined => {
      const exact = this.entries.get(`${place}\n${digest}`)
      if (exact !== undefined || !isShared(kind)) return exact
      return this.contents.get(digest)?.find((one) => !used.has(one))
    }

    const ended = (call: CassetteCall, kind: CallKind, isLive: boolean, step: MadeCall["step"]) => {
      const { about, name, path, sections } = call
      calls.push({ kind, path, name, about, sections, isLive, step })
      const place = placeOf(call)
      const outcome = hash("sha1", JSON.stringify(step) ?? "")
      if (this.last.get(place) !== outcome) changed.add(path)
      this.last.set(place, outcome)
    }

    const made = <A extends Json, E extends Failure, R>(
      call: CassetteCall,
      kind: CallKind,
      digest: string,
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E, R> =>
      Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          live.add(call.path)
          const step = recordedStep(exit as Exit<Json, Failure>)
          ended(call, kind, true, step)
          if (step === undefined) return
          const place = placeOf(call)
          if (step.ok) keep(place, digest, kind, step)
          else failures.push({ path: call.path, keep: () => keep(place, digest, kind, step) })
        }),
      )

    const asked = <A extends Json, E extends Failure, R>(
      call: CassetteCall,
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E, R> => {
      // What reads a file of this machine costs nothing, and the file may have changed.
      if (isImage(call)) return effect
      const kind = kindOf(call)
      const place = placeOf(call)
      const isStale = kind === "step" && !isDraw(call) && changed.has(call.path)
      const digest = digestOf(call, kind, versions)
      const known = isStale ? undefined : find(place, digest, kind)
      if (known !== undefined) {
        used.add(known)
        this.entries.set(`${place}\n${digest}`, known)
        ended(call, kind, false, known)
        return replayed(known) as Effect.Effect<never, E>
      }
      const { tool } = call.about
      if (typeof tool !== "string" || !writes(tool)) return made(call, kind, digest, effect)
      const params = (call.about["params"] ?? {}) as JsonObject
      return Effect.flatMap(mayWrite({ tool, params, path: call.path }), (yes) =>
        yes
          ? made(call, kind, digest, effect)
          : (Effect.fail(notWritten(tool)) as unknown as Effect.Effect<never, E>),
      )
    }

    return {
      calls,
      cassette: {
        replays: false,
        runsHooks: true,
        problems: () => [],
        save: () => Effect.void,
        call: (call, effect) => Effect.suspend(() => asked(call, effect)),
      },
      journal: {
        ...memoryJournal,
        // A pause before a retry that is answered from memory has no use.
        sleep: (name, until) =>
          Effect.suspend(() =>
            [...live].some((path) => isBelow(name, path))
              ? memoryJournal.sleep(name, until)
              : Effect.void,
          ),
        step: (name, effect) =>
          endsIn(name, "events")
            ? Effect.tap(effect, (value) =>
                Effect.sync(() => void this.toolEvents.set(name, value)),
              )
            : effect,
        lookup: (name) =>
          Effect.sync(() => {
            const value = this.toolEvents.get(name)
            return value === undefined ? undefined : { ok: true, value }
          }),
      },
      settle: ({ degraded, stages }) => {
        const fellBack = new Set(degraded.map(({ path }) => path))
        for (const { keep: keepFailure, path } of failures) {
          if (stages[path]?.outcome === "success" && !fellBack.has(path)) keepFailure()
        }
      },
    }
  }
}

const placeOf = ({ name, path }: CassetteCall): string => `${path}\n${name}`

/** Calls of models and tools answer the same request elsewhere. */
const isShared = (kind: CallKind): boolean => kind === "model" || kind === "tool"

const kindOf = ({ about }: CassetteCall): CallKind => {
  if (typeof about["tool"] === "string") return "tool"
  if (typeof about["model"] === "string") return "model"
  return about["query"] === undefined && about["queries"] === undefined ? "step" : "search"
}

/** Time, random numbers and ids: the same in every run, so that no prompt that has one is stale. */
const isDraw = ({ name }: CassetteCall): boolean => endsIn(name, ...draws)

const isImage = ({ name }: CassetteCall): boolean => endsIn(name, "image")

const digestOf = (call: CassetteCall, kind: CallKind, versions: Versions): string => {
  const { about, input = null } = call
  switch (kind) {
    case "model":
      return digest([about, versions.model(about["model"] as string)])
    case "tool":
      return digest([about, versions.tool(about["tool"] as string)])
    case "search":
      // What is searched is not part of the call.
      return digest([about, versions.texts])
    case "step":
      return isDraw(call) ? "" : digest([about, input, versions.code])
  }
}

const digest = (value: unknown): string => hash("sha1", JSON.stringify(value))

const notWritten = (tool: string): ToolFailed =>
  new ToolFailed({
    tool,
    class: "cancelled",
    message: `"${tool}" changes something, and the call was not allowed`,
  })
