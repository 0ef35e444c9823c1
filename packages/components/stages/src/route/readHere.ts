/** Reads a request against the tools of the agent in charge, without a model: every word understood, or a question. */
import * as Effect from "effect/Effect"
import { grammarOf, readWords, writes, type CallReading } from "@planloom/planning/reading"
import { entitiesIn, readMessage } from "../readMessage.ts"
import { chosenTools } from "../ToolChoice.ts"
import { agentAt, stateAt } from "./Agents.ts"
import { beginsFlow, expectedAt, expectedIn, startsFlow } from "./flowValues.ts"
import type { Turn } from "./Turn.ts"

/** Whether a message is a wish to change something: a tool that only reads may share its words, but does not serve it. */
export const wantsChange = (message: string, { input }: Turn): boolean => {
  const operators = new Set(
    readWords(message, grammarOf(input.language)).map(({ operator }) => operator),
  )
  return operators.has("change") && !operators.has("question") && !operators.has("look")
}

/** "I sent 100 dollars to Rosa" asks for nothing. */
const reports = (message: string, turn: Turn): boolean =>
  !asksAnew(message, turn) &&
  readWords(message, grammarOf(turn.input.language)).some(({ operator }) => operator === "past")

/** Calls that serve the request for certain: not those that only read where something is to be changed. */
export const isServedBy = (
  request: string,
  calls: ReadonlyArray<CallReading>,
  turn: Turn,
  place = turn.place,
): boolean => {
  const { input } = turn
  if (reports(request, turn) && calls.some(({ call: { tool } }) => beginsFlow(input, tool.name)))
    return false
  return (
    !wantsChange(request, turn) ||
    calls.some(
      ({ call: { tool } }) =>
        writes(tool) ||
        tool.name === expectedAt(input, place) ||
        startsFlow(input, place, tool.name),
    )
  )
}

/** Whether a message asks for something itself, so that it is no answer to a question. */
export const asksAnew = (message: string, { input }: Turn): boolean =>
  readWords(message, grammarOf(input.language)).some(
    ({ operator }) => operator === "question" || operator === "look",
  )

/** `before`: the request that the last reply asked about. */
export const readHere = Effect.fnUntraced(function* (
  turn: Turn,
  request: string,
  before?: string,
  place = turn.place,
) {
  const { context, input } = turn
  const chosen = yield* chosenTools(agentAt(input, place).tools, context)
  const limited = stateAt(input, place)?.tools
  const site = {
    tools: chosen.filter(({ name }) => limited?.includes(name) !== false),
    language: input.language,
    entities: entitiesIn(input.entities),
    expected: expectedIn(input, place),
  }
  return yield* readMessage(request, site, context, before)
})
