/** A request as calls of tools, without a model: every word understood, or a question. */
import * as Effect from "effect/Effect"
import type { Failure, JsonObject, StageContext, Tool } from "@planloom/plugin/effect"
import { argumentsText, languageOf, titleOfTool } from "@planloom/plugin/texts"
import {
  clausesOf,
  confidenceOf,
  dialogueAct,
  grammarOf,
  writes,
  type CallReading,
  type RequestReading,
} from "@planloom/planning/reading"
import { isObject } from "@planloom/schema"
import { entitiesIn, questionOf, readMessage, type MessageSite } from "../readMessage.ts"
import type { PlanInput } from "./PlanInput.ts"

export interface ReadCalls {
  readonly calls: ReadonlyArray<{ readonly tool: Tool; readonly params: JsonObject }>
  readonly confidence: number
  /** About what is not known, or not certain. */
  readonly question: string
}

/** Most clauses of one request. */
const MAX_CLAUSES = 3

export const readCalls = (
  input: PlanInput,
  tools: ReadonlyArray<Tool>,
  context: StageContext,
): Effect.Effect<ReadCalls, Failure> =>
  Effect.gen(function* () {
    const language = languageOf(context.user)
    const site: MessageSite = {
      tools,
      language: language ?? "",
      entities: entitiesIn(isObject(input.context) ? input.context["entities"] : undefined),
    }
    const { isConfirmed, reading } = yield* answered(input.request, site, context)
    if (reading.type !== "calls") {
      return { calls: [], confidence: 0, question: openQuestion(reading, input, context) }
    }
    const calls = reading.calls.map(({ call: { tool }, params }) => ({ tool, params }))
    return {
      calls,
      confidence: isConfirmed
        ? 1
        : Math.min(...reading.calls.map((one) => confidenceOf(one.reading))),
      question: context.text("confirm", {
        values: { tool: calls.map((one) => callText(one, language)).join(", ") },
      }),
    }
  })

/** The request, with the answers to questions about it. */
const answered = Effect.fnUntraced(function* (
  request: string,
  site: MessageSite,
  context: StageContext,
) {
  const grammar = grammarOf(site.language)
  let about = request
  let isConfirmed = false
  let reading = yield* readWhole(request, site, context)
  for (const { answer } of context.answers) {
    const said = typeof answer === "string" ? answer : JSON.stringify(answer)
    if (reading.type === "calls") {
      if (dialogueAct(said, grammar) === "affirm") {
        isConfirmed = true
        continue
      }
    } else {
      const joined = `${about} ${said}`
      const next = yield* readMessage(said, site, context, about)
      // "PEPE", after a request of which only that was missing.
      const whole = next.type === "none" ? yield* readMessage(joined, site, context) : next
      reading = whole
      if (whole.type === "ask") about = whole.near.reading.text
      continue
    }
    reading = yield* readWhole(said, site, context)
    about = said
  }
  return { isConfirmed, reading }
})

/** Two or three wishes to know something are calls of their own, if each is understood. */
const readWhole = Effect.fnUntraced(function* (
  request: string,
  site: MessageSite,
  context: StageContext,
) {
  const reading: RequestReading = yield* readMessage(request, site, context)
  if (reading.type === "calls") return reading
  const clauses = clausesOf(request, grammarOf(site.language))
  if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return reading
  const calls: Array<CallReading> = []
  for (const clause of clauses) {
    const part: RequestReading = yield* readMessage(clause, site, context)
    if (part.type !== "calls" || part.calls.some(({ call }) => writes(call.tool))) return reading
    calls.push(...part.calls)
  }
  return { type: "calls", calls } satisfies RequestReading
})

const openQuestion = (
  reading: Exclude<RequestReading, { readonly type: "calls" }>,
  { empty }: PlanInput,
  context: StageContext,
): string => {
  const say = (name: string, values: { readonly [placeholder: string]: string } = {}) =>
    context.text(name, { values })
  if (reading.type === "ask") return questionOf(reading, languageOf(context.user), say)
  const asked = empty ?? say("empty_plan")
  return reading.near === undefined || reading.open.length === 0
    ? asked
    : `${say("not_understood", { words: reading.open.map((one) => `"${one}"`).join(", ") })} ${asked}`
}

const callText = (
  { params, tool }: ReadCalls["calls"][number],
  language: string | undefined,
): string => {
  const values = argumentsText(tool, params, language)
  const title = titleOfTool(tool, language)
  return values === "" ? title : `${title} (${values})`
}
