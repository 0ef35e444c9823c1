/** A gate of the key `shadow` outside of the engine: reviewers are functions, pieces of a text are its reply. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  reviewerFacts,
  type Draft,
  type Finding,
  type GateContext,
  type Reviewed,
  type Subagent,
  type Validator,
  type Verdict,
} from "@planloom/plugin/effect"
import { shadowGate, type Settlement } from "../src/gate/shadowGate.ts"
import { Panel } from "../src/review/Panel.ts"
import type { ShadowConfig } from "../src/ShadowConfig.ts"

/** What users read in place of a blocked text. */
export const ESCALATION = "A person will take over."

/** A finding, or the cause of a failure. */
export type Answer = Finding | "timeout" | "error" | "invalid"

/** A reviewer with what it answers to a text. */
export type Probe =
  | (Partial<Omit<Subagent, "review">> & {
      readonly id: string
      readonly review: (text: string, times: number) => Answer | Effect.Effect<Answer>
    })
  | (Omit<Validator, "summary"> & { readonly review?: undefined })

export const finding = (verdict: Verdict, more: Partial<Finding> = {}): Finding => ({
  verdict,
  confidence: 1,
  reason: verdict,
  ...more,
})

export const pass = finding("pass")

export interface Course {
  readonly released: string
  readonly text: string
  readonly findings: ReadonlyArray<Finding>
  readonly stop: boolean
  /** Pieces that the gate read. */
  readonly read: number
  /** Pieces after which the first text had left; Infinity if none did before the end. */
  readonly first: number
  readonly reported: ReadonlyArray<
    readonly [reviewer: string, verdict: Verdict, cause: Reviewed["cause"]]
  >
  readonly settlement: Settlement | undefined
  /** Texts that each reviewer was given. */
  readonly asked: ReadonlyArray<readonly [reviewer: string, text: string]>
}

/** Passes the pieces through a gate of these reviewers. */
export const gated = (
  probes: ReadonlyArray<Probe>,
  pieces: ReadonlyArray<string>,
  config: ShadowConfig = {},
  given: { readonly panel?: Panel; readonly run?: string } = {},
): Effect.Effect<Course, unknown> =>
  Effect.suspend(() => {
    const subagents = new Map<string, Subagent>()
    const validators = new Map<string, Validator>()
    for (const one of probes) {
      if (one.review === undefined) validators.set(one.id, { summary: "", ...one })
      else {
        const { review: _, ...more } = one
        subagents.set(one.id, {
          summary: "",
          class: "quality",
          can: ["pass", "flag", "enrich", "replace", "block"],
          at: "whole",
          scope: "conversation",
          ...more,
          review: () => Effect.never,
        } as Subagent)
      }
    }
    const reported: Array<readonly [string, Verdict, Reviewed["cause"]]> = []
    const asked: Array<readonly [string, string]> = []
    const times = new Map<string, number>()
    const context = {
      run: given.run ?? "run",
      path: "reply",
      user: {},
      calls: [],
      now: 0,
      text: () => ESCALATION,
      pending: (use, text) =>
        validators.get(typeof use === "string" ? use : use.use)?.pending?.(text, {}),
      report: (reviewed, verdict) =>
        Effect.sync(() => void reported.push([reviewed.reviewer, verdict, reviewed.cause])),
      review: (use, draft) => {
        const { text } = draft
        const id = typeof use === "string" ? use : use.use
        const about = { reviewer: id, ms: 0 }
        const outcome = (answer: Answer): Reviewed =>
          typeof answer === "string"
            ? { ...about, cause: answer, failure: { class: "internal", message: answer } }
            : { ...about, cause: "verdict", finding: answer }
        const validator = validators.get(id)
        if (validator !== undefined) {
          return Effect.sync(() => outcome(validator.validate(text, {}, draft as Draft)))
        }
        return Effect.suspend(() => {
          asked.push([id, text])
          const count = (times.get(id) ?? 0) + 1
          times.set(id, count)
          const answer = probes.find((one) => one.id === id)!.review!(text, count)
          return Effect.isEffect(answer)
            ? Effect.map(answer, outcome)
            : Effect.succeed(outcome(answer))
        })
      },
    } as Partial<GateContext> as GateContext
    const panel = given.panel ?? new Panel(config)
    const members = panel.members(config.gate ?? probes.map(({ id }) => id), (id) =>
      reviewerFacts(id, { subagents, validators }),
    )
    let settlement: Settlement | undefined
    const gate = shadowGate(panel, members, (one) => Effect.sync(() => void (settlement = one)))
    let read = 0
    let first = Infinity
    let released = ""
    const reply = Stream.rechunk(
      Stream.tap(Stream.fromIterable(pieces), () => Effect.sync(() => void read++)),
      1,
    )
    const about = { request: "What?", turns: [], calls: [], data: null }
    let settled: Pick<Course, "findings" | "stop" | "text"> | undefined
    return Effect.map(
      Stream.runForEach(gate.open(about, context)(reply), (part) =>
        Effect.sync(() => {
          if (part.type === "settled") {
            settled = { text: part.text, findings: part.findings, stop: part.stop === true }
          } else {
            released += part.text
            first = Math.min(first, read)
          }
        }),
      ),
      () => ({ ...settled!, released, read, first, reported, settlement, asked }),
    )
  })

/** Replaces e-mail addresses. */
export const emails: Validator & { readonly review?: undefined } = {
  id: "emails",
  summary: "Replaces addresses.",
  window: 64,
  validate: (text) => {
    const spans = [...text.matchAll(/[\w.]{1,20}@[\w.]{1,20}\.com\b/g)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      text: "[email]",
    }))
    return spans.length === 0 ? pass : finding("replace", { spans })
  },
  pending: (text) => /[\w.@]*$/.exec(text)!.index,
}

/** Blocks a word. */
export const forbidden: Validator & { readonly review?: undefined } = {
  id: "forbidden",
  summary: "Blocks a word.",
  window: 12,
  validate: (text) => {
    const start = text.indexOf("guaranteed")
    return start < 0 ? pass : finding("block", { spans: [{ start, end: start + 10 }] })
  },
}
