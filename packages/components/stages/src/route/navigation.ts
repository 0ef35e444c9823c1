/** The tools by which a model moves a conversation: to another agent, into a flow, to its next state, out of it. */
import type { JsonObject, JsonSchema, ToolOffer } from "@planloom/plugin/effect"
import { agentAt, flowStart, heirsOf, stateAt, type Place, type RouteInput } from "./Agents.ts"

export const HAND_OVER = "hand_over"
export const START_FLOW = "start_flow"
export const NEXT_STATE = "next_state"
export const LEAVE_FLOW = "leave_flow"
export const STAY = "stay"

/** No tool of an agent may have these names. */
export const navigationTools: ReadonlyArray<string> = [
  HAND_OVER,
  START_FLOW,
  NEXT_STATE,
  LEAVE_FLOW,
  STAY,
]

type Given = Pick<RouteInput, "agents">

const offer = (
  tool: string,
  summary: string,
  properties: { readonly [name: string]: JsonSchema } = {},
): ToolOffer => ({
  tool,
  form: "schema",
  ends: true,
  own: {
    summary,
    params: {
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
  },
})

const reason = { type: "string", minLength: 1, description: "why, in one short sentence" } as const

const handOver = (input: Given, place: Place): ReadonlyArray<ToolOffer> => {
  const heirs = heirsOf(input, place)
  return heirs.length === 0
    ? []
    : [
        offer(HAND_OVER, "Hands the customer over to the agent that the request is for.", {
          agent: { type: "string", enum: [...heirs] },
          reason,
        }),
      ]
}

/** What a routing decision needs: to hand over, or to keep the request. */
export const routingOffers = (input: Given, place: Place): ReadonlyArray<ToolOffer> => [
  ...handOver(input, place),
  offer(STAY, "Keeps the request, because it is for this agent."),
]

/** Transitions that a call of a tool or a condition makes are not offered: they follow from what happened. */
const chosenStates = (input: Given, place: Place): ReadonlyArray<string> =>
  (stateAt(input, place)?.next ?? []).flatMap(({ to, tool, when }) =>
    tool === undefined && when === undefined ? [to] : [],
  )

export const navigationOffers = (input: Given, place: Place): ReadonlyArray<ToolOffer> => {
  const flows = Object.keys(agentAt(input, place).flows).filter((flow) => flow !== place.flow)
  const next = chosenStates(input, place)
  return [
    ...handOver(input, place),
    ...(flows.length === 0
      ? []
      : [offer(START_FLOW, "Starts a flow.", { flow: { type: "string", enum: flows }, reason })]),
    ...(next.length === 0
      ? []
      : [
          offer(NEXT_STATE, "Goes to the next state of the flow.", {
            state: { type: "string", enum: [...next] },
          }),
        ]),
    ...(place.flow === undefined ? [] : [offer(LEAVE_FLOW, "Leaves the flow unfinished.")]),
  ]
}

/** The place that a call of a navigation tool leads to. */
export const placeAfter = (
  input: Given,
  place: Place,
  { params, tool }: { readonly tool: string; readonly params: JsonObject },
): Place => {
  switch (tool) {
    case HAND_OVER:
      return { agent: String(params["agent"]) }
    case START_FLOW:
      return flowStart(input, place.agent, String(params["flow"]))
    case NEXT_STATE:
      return settledPlace(input, { ...place, state: String(params["state"]) })
    case LEAVE_FLOW:
      return { agent: place.agent }
    default:
      return place
  }
}

/** A flow ends with its final state. */
export const settledPlace = (input: Given, place: Place): Place =>
  stateAt(input, place)?.final === true ? { agent: place.agent } : place
