/** Values that the messages of a flow give, without a model: what one says early is not asked for later. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import {
  callWords,
  grammarOf,
  readCall,
  readWords,
  stem,
  type Expected,
} from "@planloom/planning/reading"
import { entitiesIn } from "../readMessage.ts"
import {
  agentAt,
  flowStart,
  stateAt,
  type FlowValues,
  type Place,
  type RouteInput,
} from "./Agents.ts"
import type { Turn } from "./Turn.ts"

/** Tools whose calls make a transition of the flow, in the order of its states. */
const flowTools = (input: RouteInput, place: Place): ReadonlyArray<string> =>
  place.flow === undefined
    ? []
    : [
        ...new Set(
          Object.values(agentAt(input, place).flows[place.flow]!.states).flatMap(({ next }) =>
            next.flatMap(({ tool }) => tool ?? []),
          ),
        ),
      ]

/** The tool whose call leads out of the state. */
export const expectedAt = (input: RouteInput, place: Place): string | undefined =>
  stateAt(input, place)?.next.find(({ tool }) => tool !== undefined)?.tool

/** Whether a call of the tool is the first step of a flow of any agent. */
export const beginsFlow = (input: RouteInput, tool: string): boolean =>
  Object.keys(input.agents).some((agent) => startsFlow(input, { agent }, tool))

/** Whether a call of the tool is the first step of a flow of the agent, where the conversation is in none. */
export const startsFlow = (input: RouteInput, place: Place, tool: string): boolean =>
  place.flow === undefined &&
  Object.keys(agentAt(input, place).flows).some(
    (flow) => expectedAt(input, flowStart(input, place.agent, flow)) === tool,
  )

/** The tools that values alone ask for: that of the state, then the others of the flow, whose values can be corrected. */
export const expectedIn = (input: RouteInput, place: Place): ReadonlyArray<Expected> => {
  const first = expectedAt(input, place)
  const tools = [...(first === undefined ? [] : [first]), ...flowTools(input, place)]
  return [...new Set(tools)].map((tool) => {
    const given = place.given?.[tool]
    return given === undefined ? { tool } : { tool, given }
  })
}

/** Whether a message negates something or makes a condition, so that nothing of it is a value. */
export const isGuarded = (message: string, { language }: RouteInput): boolean =>
  readWords(message, grammarOf(language)).some(
    ({ operator }) => operator === "negation" || operator === "condition",
  )

/** The values that the message gives to params of the flow's tools, beside those of earlier ones. */
export const givenIn = (
  message: string,
  input: RouteInput,
  place: Place,
  tools: ReadonlyArray<Tool>,
): FlowValues => {
  const grammar = grammarOf(input.language)
  const given: { [tool: string]: JsonObject } = { ...place.given }
  for (const name of flowTools(input, place)) {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) continue
    const { params, reading } = readCall(callWords(tool, grammar), {
      text: message,
      grammar,
      today: "",
      entities: entitiesIn(input.entities),
    })
    const said = Object.entries(params).filter(([param]) =>
      reading.claims.some(({ by, used }) => VALUES.has(by) && used === `${name}.${param}`),
    )
    if (said.length > 0) given[name] = { ...given[name], ...Object.fromEntries(said) }
  }
  return given
}

/** Claims of words that are a value by themselves. */
const VALUES: ReadonlySet<string> = new Set(["choice", "code", "entity", "number"])

/**
 * Words for which a message starts no flow: a negation, a condition, and a wish to change something that neither the flow
 * nor its agent is for ("cancel my transfer" sends nothing).
 */
export const guardedIn = (message: string, place: Place, turn: Turn): ReadonlyArray<string> => {
  const { context, input } = turn
  if (place.flow === undefined) return []
  const grammar = grammarOf(input.language)
  const { description, examples, flows } = agentAt(input, place)
  const flow = flows[place.flow]!
  const own = new Set(
    [description, ...examples, flow.description, ...flow.examples]
      .flatMap((text) => readWords(text, grammar))
      .map(({ word }) => stem(word)),
  )
  const tools = flowTools(input, place).flatMap((name) => {
    const tool = context.tools.find((one) => one.name === name)
    return tool === undefined ? [] : [callWords(tool, grammar).own]
  })
  return readWords(message, grammar).flatMap(({ operator, text, word }) =>
    operator === "negation" ||
    operator === "condition" ||
    (operator === "change" && ![own, ...tools].some((words) => words.has(stem(word))))
      ? [text]
      : [],
  )
}
