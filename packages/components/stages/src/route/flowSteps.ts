/** Steps of a flow without a model: the calls that begin it, what it remembers, and the call that it offers. */
import { propertiesOf, requiredOf } from "@planloom/planning"
import { grammarOf, withoutAmends, type CallReading } from "@planloom/planning/reading"
import type { Tool } from "@planloom/plugin/effect"
import { argumentsText, titleOfTool } from "@planloom/plugin/texts"
import { agentAt, flowStart, stateAt, type FlowState, type Place } from "./Agents.ts"
import { expectedAt, givenIn, isGuarded } from "./flowValues.ts"
import { wantsChange } from "./readHere.ts"
import type { Turn } from "./Turn.ts"

/** The place with what the message says of values of its flow. */
export const remembering = ({ context, input }: Turn, place: Place, request: string): Place => {
  const said = withoutAmends(request, grammarOf(input.language))
  if (place.flow === undefined || isGuarded(said, input)) return place
  const given = givenIn(said, input, place, context.tools)
  return Object.keys(given).length === 0 ? place : { ...place, given }
}

/** Whether one of the calls makes a transition of the state: on entering a flow, others would answer another question. */
export const leads = (calls: ReadonlyArray<CallReading>, state: FlowState | undefined): boolean =>
  calls.some(({ call }) => state?.next.some(({ tool }) => tool === call.tool.name))

/** The flow that the calls of a wish begin: "send 100 dollars to Rosa" quotes a price first. */
export const startedFlow = (
  turn: Turn,
  readings: ReadonlyArray<CallReading>,
  request: string,
): Place | undefined => {
  const { input, place } = turn
  if (place.flow !== undefined || !wantsChange(request, turn)) return undefined
  return Object.keys(agentAt(input, place).flows)
    .map((flow) => flowStart(input, place.agent, flow))
    .find((start) => leads(readings, stateAt(input, start)))
}

/** The call of the state of a flow whose values are all known: a yes makes it. */
export const offerAt = (turn: Turn) => {
  const { calls, context, input, language, place } = turn
  const name = expectedAt(input, place)
  const given = name === undefined ? undefined : place.given?.[name]
  const tool = context.tools.find((one) => one.name === name)
  if (given === undefined || tool === undefined) return undefined
  const fresh = calls.flatMap(({ entities = [] }) => entities)
  const isKnown = (param: string): boolean =>
    given[param] !== undefined || fresh.some(({ type }) => isRoleOf(tool, param, type))
  if (!requiredOf(tool).every(isKnown)) return undefined
  const values = argumentsText(tool, given, language)
  return {
    text: turn.say("confirm", { tool: `${titleOfTool(tool, language)} (${values})` }),
    asked: { request: Object.values(given).join(" "), choices: [], offered: true },
  }
}

/** Whether a param takes things of the type. */
const isRoleOf = (tool: Tool, param: string, type: string): boolean =>
  propertiesOf(tool).some(
    ([name, { role }]) => name === param && String(role).split(".")[0] === `entity:${type}`,
  )
