/** Reviewers that quote what they review: of a blocked text, nothing but the review queue has twelve characters. */
import { assert, describe, it } from "@effect/vitest"
import { emptyRecording, memorySessions, recordingJournal, run } from "@planloom/core"
import {
  StageFailed,
  validator,
  type Finding,
  type JsonObject,
  type RunEvent,
  type Subagent,
  type Validator,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { REVIEWS, ReviewQueue } from "../src/queue/index.ts"
import { loaded, source } from "./workflow.ts"

const QUOTED = 12

/** Where a reviewer puts the text. */
const places = [
  "reason",
  "issues",
  "rules",
  "declared",
  "text",
  "span",
  "extra",
  "verdict",
  "confidence",
  "error",
  "errorName",
  "errorClass",
  "thrownText",
  "failure",
  "detail",
  "step",
  "model",
  "reasoning",
  "unread",
] as const
type Place = (typeof places)[number]

interface Quoting {
  readonly place: Place
  readonly verdict: "pass" | "flag" | "replace" | "enrich" | "block"
  readonly kind: "whole" | "window" | "validator" | "part"
  readonly class: "quality" | "safety"
}

const quoting: fc.Arbitrary<Quoting> = fc.record({
  place: fc.constantFrom(...places),
  verdict: fc.constantFrom("pass", "flag", "replace", "enrich", "block"),
  kind: fc.constantFrom("whole", "window", "validator", "part"),
  class: fc.constantFrom("quality", "safety"),
})

/** No run of twelve characters of it is in anything that the engine writes. */
const secret = fc
  .tuple(
    fc.array(fc.stringMatching(/^[qxzjkvw0-9]{3,9}$/), { minLength: 4, maxLength: 12 }),
    fc.constantFrom("forbidden", "forbidden."),
  )
  .map(([words, mark]) => [...words, mark].join(" "))

const findingOf = ({ place, verdict }: Quoting, text: string): Finding => {
  const quote = `It says: ${text}`
  const span = { start: 0, end: Math.min(3, text.length) }
  const finding = { verdict, confidence: 0.9, reason: "found" }
  switch (place) {
    case "reason":
      return { ...finding, reason: quote }
    case "issues":
      return { ...finding, issues: [quote] }
    case "rules":
      return { ...finding, rules: [text] }
    case "declared":
      return { ...finding, rules: ["declared"], reason: quote }
    case "text":
      return { ...finding, text: quote }
    case "span":
      return { ...finding, spans: [{ ...span, text: quote }] }
    case "extra":
      return { ...finding, [text]: quote } as Finding
    case "verdict":
      return { ...finding, verdict: text as "block" }
    case "confidence":
      return { ...finding, confidence: Number(`0.${text.replaceAll(/\D/g, "") || "5"}`) }
    case "error":
      throw new Error(quote)
    case "errorName":
      throw Object.assign(new TypeError(quote), { name: text })
    case "errorClass":
      throw new (Object.defineProperty(class extends Error {}, "name", { value: text }))(quote)
    case "thrownText":
      throw quote
    default:
      return { ...finding, reason: quote }
  }
}

const can = ["pass", "flag", "replace", "enrich", "block"] as const
const summary = "Quotes."

const validatorOf = (one: Quoting, id: string): Validator =>
  validator({
    id,
    summary,
    class: one.class,
    can,
    rules: ["declared"],
    ...(one.kind === "part" ? { window: 40 } : {}),
    validate: (text) => findingOf(one, text),
  })

const subagentOf = (one: Quoting, id: string): Subagent => ({
  id,
  summary,
  class: one.class,
  can,
  rules: ["declared"],
  at: one.kind === "window" ? "window" : "whole",
  longest: 40,
  spans: true,
  scope: "turn",
  review: ({ text }, { model, step }) => {
    const asked = (quote: string) => ({
      messages: [{ role: "user" as const, content: `Quote: ${quote}` }],
    })
    switch (one.place) {
      case "failure":
        return Effect.fail(new StageFailed({ class: "tool_error", message: text }))
      case "detail":
        return Effect.fail(
          new StageFailed({
            class: "internal",
            message: "x",
            detail: { plain: text, deep: { reviewer: [text] } },
          }),
        )
      case "step":
        return Effect.map(step("look", Effect.succeed({ found: text })), () => findingOf(one, text))
      case "model":
        return Effect.map(model.text(asked(text)), (reply) => findingOf(one, reply.text))
      case "reasoning":
        return Effect.map(model.text(asked(`<think>${text}</think>${text}`)), () =>
          findingOf(one, text),
        )
      case "unread":
        return Effect.map(
          model.json(asked(text), { name: "verdict", schema: { type: "object" } }),
          () => findingOf(one, text),
        )
      default:
        return Effect.sync(() => findingOf(one, text))
    }
  },
})

const blocker = validator({
  id: "blocker",
  summary,
  can: ["pass", "block"],
  validate: (text) =>
    text.includes("forbidden")
      ? { verdict: "block", confidence: 1, reason: `found in ${text}` }
      : { verdict: "pass", confidence: 1, reason: "fine" },
})

let runs = 0

/** All that anybody but the people of the review queue reads of a run. */
const publishedOf = (text: string, given: ReadonlyArray<Quoting>) =>
  Effect.gen(function* () {
    const named = given.map((one, index) => ({ one, id: `quoting${index}` }))
    const isValidator = ({ one }: (typeof named)[number]) =>
      one.kind === "validator" || one.kind === "part"
    const validators = named.filter(isValidator).map(({ id, one }) => validatorOf(one, id))
    const subagents = named
      .filter((each) => !isValidator(each))
      .map(({ id, one }) => subagentOf(one, id))
    const run_ = `quotes-${++runs}`
    let queued: unknown
    const session = 'session: { request: hi, assistant: "${{ stages.reply.output.text }}" }'
    const gate = `shadow: { gate: [${["blocker", ...named.map(({ id }) => id)].join(", ")}] }`
    const { pipeline } = yield* loaded(source(gate, session), text, subagents, undefined, [
      blocker,
      ...validators,
    ])
    const recording = emptyRecording()
    const sessions = memorySessions()
    const events: Array<RunEvent> = []
    const result = yield* run(
      pipeline,
      {},
      {
        run: run_,
        session: run_,
        sessions,
        journal: recordingJournal(recording),
        onEvent: (event) => void events.push(event),
      },
    ).pipe(Effect.catch((failed) => Effect.succeed("result" in failed ? failed.result : failed)))
    const reader = yield* loaded(source("shadow: { gate: [reader] }"), "fine", [
      {
        ...subagentOf({ place: "reason", verdict: "pass", kind: "whole", class: "quality" }, ""),
        id: "reader",
        review: (_, { collection }) =>
          Effect.map(Effect.orDie(new ReviewQueue(collection(REVIEWS)).list()), (all): Finding => {
            queued = all.filter(({ item }) => item.run === run_)
            return { verdict: "pass", confidence: 1, reason: "fine" }
          }),
      },
    ])
    yield* run(reader.pipeline, {}, {})
    const kept = yield* sessions.load(run_)
    const record: JsonObject = {
      events: events as never,
      steps: [...recording.steps] as never,
      recorded: recording.events as never,
      result: result as never,
      session: (kept ?? null) as never,
    }
    return { published: JSON.stringify(record), queued: JSON.stringify(queued), events }
  })

const quotesIn = (published: string, text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, text.length - QUOTED + 1) }, (_, at) =>
    text.slice(at, at + QUOTED),
  ).filter((part) => published.includes(part))

describe("reviewers that quote a blocked text", () => {
  it.effect(
    "publish no twelve characters of it in events, record, session, result or notes",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            secret,
            fc.array(quoting, { minLength: 1, maxLength: 3 }),
            async (text, given) => {
              const { published } = await Effect.runPromise(Effect.scoped(publishedOf(text, given)))
              assert.deepStrictEqual(quotesIn(published, text), [])
            },
          ),
          { numRuns: cases(25) },
        ),
      ),
    60_000,
  )

  it.effect.each(places)(
    "and put it as %s tell its rule at most, and the queue the rest",
    (place) =>
      Effect.gen(function* () {
        const text = "xq7 zjk1 vwv kqz forbidden"
        for (const kind of ["whole", "validator"] as const) {
          const one: Quoting = { place, verdict: "flag", kind, class: "quality" }
          const { events, published, queued } = yield* publishedOf(text, [one])
          assert.deepStrictEqual(quotesIn(published, text), [])
          assert.include(queued, text)
          const own = events.find(
            (event) => event.type === "Reviewed" && event.reviewer === "quoting0",
          )
          if (place === "declared" && own?.type === "Reviewed") {
            assert.deepStrictEqual(own.finding, {
              verdict: "flag",
              confidence: 0.9,
              rules: ["declared"],
            })
          }
        }
      }),
  )
})
