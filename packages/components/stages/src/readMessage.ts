/** Reads a message as calls of tools, also as the answer to a question about an earlier one, without a model. */
import * as Effect from "effect/Effect"
import { toolDocument } from "@planloom/planning"
import {
  callWords,
  dialogueAct,
  grammarOf,
  openPhrases,
  readRequest,
  type Expected,
  type RequestReading,
} from "@planloom/planning/reading"
import type { Json, SessionEntity, StageContext, Tool } from "@planloom/plugin/effect"
import { argumentsText, labelOfParam, titleOfTool } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import { localDay } from "./turn/localDay.ts"

/** Tools that the index looks up for one text. */
const NEAREST = 5

export interface MessageSite {
  readonly tools: ReadonlyArray<Tool>
  /** Tag of the language of the message. */
  readonly language: string
  readonly entities: ReadonlyArray<SessionEntity>
  /** The tools that values alone ask for. */
  readonly expected?: ReadonlyArray<Expected>
}

/** `before`: the request that the last question was about. */
export const readMessage = Effect.fnUntraced(function* (
  message: string,
  { entities, expected = [], language, tools }: MessageSite,
  { index, now }: Pick<StageContext, "index" | "now">,
  before?: string,
) {
  if (tools.length === 0) return { type: "none", open: [] } satisfies RequestReading
  const grammar = grammarOf(language)
  const built = yield* index(tools.map(toolDocument))
  const nearTo = (text: string) =>
    Effect.map(built.search(text, { limit: NEAREST }), (hits) => () => hits.map(({ id }) => id))
  const given = {
    grammar,
    today: localDay(yield* now),
    calls: tools.map((tool) => callWords(tool, grammar)),
    entities,
    expected,
  }
  const said = dialogueAct(message, grammar) === "affirm" ? "yes" : message
  if (before === undefined) return readRequest({ ...given, text: said, near: yield* nearTo(said) })
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

/** The things of a conversation in a value of `with`; what has no type and id is left out. */
export const entitiesIn = (entities: Json | undefined): ReadonlyArray<SessionEntity> =>
  Array.isArray(entities)
    ? entities.flatMap((one) =>
        isObject(one) && typeof one["type"] === "string" && typeof one["id"] === "string"
          ? [one as unknown as SessionEntity]
          : [],
      )
    : []

/** The question of a reading, in a language. */
export const questionOf = (
  { near, question: { choices } }: Extract<RequestReading, { readonly type: "ask" }>,
  language: string | undefined,
  say: (name: string, values: { readonly [placeholder: string]: string }) => string,
): string => {
  const { tool } = near.call
  const title = titleOfTool(tool, language)
  const [missing] = near.missing
  if (near.undecided !== undefined && choices.length > 1)
    return say("choose", { choices: choices.map(({ label }) => label).join(", ") })
  if (missing !== undefined && choices.every(({ params }) => params !== undefined)) {
    const label = labelOfParam(tool, missing.name, language)
    const values = choices.map((choice) => choice.label).join(", ")
    return say("ask_value", {
      tool: title,
      value: values === "" ? label : `${label} (${values})`,
    })
  }
  if (choices.length > 1) {
    const titles = choices.map(({ call }) => titleOfTool(call.tool, language))
    return say("choose", { choices: titles.join(", ") })
  }
  const values = argumentsText(tool, near.params, language)
  const unread = openPhrases(near.reading).map(({ text }) => `"${text}"`)
  const question = say("confirm", { tool: values === "" ? title : `${title} (${values})` })
  return unread.length === 0
    ? question
    : `${say("not_understood", { words: unread.join(", ") })} ${question}`
}
