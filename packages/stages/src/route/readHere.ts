/** Reads a request against the tools of the agent in charge, without a model: every word understood, or a question. */
import * as Effect from "effect/Effect"
import { toolDocument } from "@planloom/planning"
import {
  callWords,
  dialogueAct,
  readRequest,
  readWords,
  grammarOf,
  openPhrases,
  type CallReading,
  type RequestReading,
  writes,
} from "@planloom/planning/reading"
import { isToolAmong, type Json, type SessionEntity } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { argumentsText, labelOfParam, titleOfTool } from "@planloom/plugin/texts"
import { localDay } from "../turn/localDay.ts"
import { offersOf } from "../ToolChoice.ts"
import { agentAt, nameOfOffer, stateAt, type Place, type RouteInput } from "./Agents.ts"
import type { Turn } from "./Turn.ts"

/** Tools that the index looks up for one text. */
const NEAREST = 5

/** Whether a message is a wish to change something: a tool that only reads may share its words, but does not serve it. */
const wantsChange = (message: string, { input }: Turn): boolean => {
  const operators = new Set(
    readWords(message, grammarOf(input.language)).map(({ operator }) => operator),
  )
  return operators.has("change") && !operators.has("question") && !operators.has("look")
}

/** Calls that serve the request for certain: not those that only read where something is to be changed. */
export const isServedBy = (
  request: string,
  calls: ReadonlyArray<CallReading>,
  turn: Turn,
  place = turn.place,
): boolean =>
  !wantsChange(request, turn) ||
  calls.some(({ call: { tool } }) => writes(tool) || tool.name === expectedAt(turn.input, place))

/** The tool whose call leads out of the state. */
const expectedAt = (input: RouteInput, place: Place): string | undefined =>
  stateAt(input, place)?.next.find(({ tool }) => tool !== undefined)?.tool

/** Whether a message asks for something itself, so that it is no answer to a question. */
export const asksAnew = (message: string, { input }: Turn): boolean =>
  readWords(message, grammarOf(input.language)).some(
    ({ operator }) => operator === "question" || operator === "look",
  )

/** `before`: the request that the last reply asked about. */
export const readHere = (turn: Turn, request: string, before?: string, place = turn.place) =>
  Effect.gen(function* () {
    const { context, input } = turn
    const names = (yield* offersOf(agentAt(input, place).tools, context)).map(nameOfOffer)
    const limited = stateAt(input, place)?.tools
    const tools = context.tools.filter(
      ({ name }) => isToolAmong(name, names) && limited?.includes(name) !== false,
    )
    if (tools.length === 0) return { type: "none", open: [] } satisfies RequestReading
    const grammar = grammarOf(input.language)
    const expected = expectedAt(input, place)
    const built = yield* context.index(tools.map(toolDocument))
    const nearTo = (text: string) =>
      Effect.map(built.search(text, { limit: NEAREST }), (hits) => () => hits.map(({ id }) => id))
    const given = {
      grammar,
      today: localDay(yield* context.now),
      calls: tools.map((tool) => callWords(tool, grammar)),
      entities: entitiesIn(input.entities),
      ...(expected === undefined ? {} : { expected }),
    }
    const said = dialogueAct(request, grammar) === "affirm" ? "yes" : request
    if (before === undefined)
      return readRequest({ ...given, text: said, near: yield* nearTo(said) })
    const earlier = readRequest({ ...given, text: before, near: yield* nearTo(before) })
    if (earlier.type === "ask" && earlier.question.choices.every(({ params }) => params)) {
      // "make a quote", then "200 dollars": a value for the tool in question, before it is a wish of its own.
      const joined = `${before} ${said}`
      const calls = [earlier.near.call]
      const whole = readRequest({ ...given, calls, text: joined, near: yield* nearTo(joined) })
      if (whole.type === "calls" || isFurther(whole, earlier)) return whole
    }
    return readRequest({
      ...given,
      text: said,
      near: yield* nearTo(said),
      before: { text: before, reading: earlier },
    })
  })

/** Whether a question that was asked again has another value of its tool, so that fewer are missing. */
const isFurther = (whole: RequestReading, earlier: RequestReading): boolean =>
  whole.type === "ask" &&
  earlier.type === "ask" &&
  openPhrases(whole.near.reading).length === 0 &&
  whole.near.missing.length < earlier.near.missing.length

const entitiesIn = (entities: Json | undefined): ReadonlyArray<SessionEntity> =>
  Array.isArray(entities)
    ? entities.flatMap((one) =>
        isObject(one) && typeof one["type"] === "string" && typeof one["id"] === "string"
          ? [one as unknown as SessionEntity]
          : [],
      )
    : []

/** The question of a reading, in the language of the turn. */
export const questionOf = (
  { near, question: { choices } }: Extract<RequestReading, { readonly type: "ask" }>,
  turn: Turn,
): string => {
  const { tool } = near.call
  const { language } = turn
  const title = titleOfTool(tool, language)
  const [missing] = near.missing
  if (near.undecided !== undefined && choices.length > 1)
    return turn.say("choose", { choices: choices.map(({ label }) => label).join(", ") })
  if (missing !== undefined && choices.every(({ params }) => params !== undefined)) {
    const label = labelOfParam(tool, missing.name, language)
    const values = choices.map((choice) => choice.label).join(", ")
    return turn.say("ask_value", {
      tool: title,
      value: values === "" ? label : `${label} (${values})`,
    })
  }
  if (choices.length > 1) {
    const titles = choices.map(({ call }) => titleOfTool(call.tool, language))
    return turn.say("choose", { choices: titles.join(", ") })
  }
  const values = argumentsText(tool, near.params, language)
  const unread = openPhrases(near.reading).map(({ text }) => `"${text}"`)
  const question = turn.say("confirm", { tool: values === "" ? title : `${title} (${values})` })
  return unread.length === 0
    ? question
    : `${turn.say("not_understood", { words: unread.join(", ") })} ${question}`
}
