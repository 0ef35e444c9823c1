/** Sections of the prompt of one hop: who is in charge, where the flow is, what is known of the user. */
import type { Json, Section } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { agentAt, heirsOf, stateAt, titleOf, type Place, type RouteInput } from "./Agents.ts"

type Part = Pick<Section, "id" | "text" | "stable">

/** Ids of the sections, in the order of a prompt: what stays the same from turn to turn comes first. */
export const sectionIds = [
  "agent",
  "navigation",
  "flow",
  "language",
  "profile",
  "product_context",
  "entities",
  "handover",
] as const

const part = (id: (typeof sectionIds)[number], text: string, stable = false): ReadonlyArray<Part> =>
  text === "" ? [] : [{ id, text, stable }]

const written = (value: Json | undefined): string =>
  value === undefined || value === null || value === ""
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value)

const labelled = (label: string, value: Json | undefined): string => {
  const text = written(value)
  return text === "" ? "" : `${label}: ${text}`
}

const others = (input: RouteInput, place: Place): string =>
  heirsOf(input, place)
    .map((name) => `- ${name}: ${input.agents[name]!.description}`)
    .join("\n")

const navigation = (input: RouteInput, place: Place): string => {
  const list = others(input, place)
  return list === ""
    ? ""
    : `Hand over with \`hand_over\` what another agent is for, without announcing it. The other agents:\n${list}`
}

const flows = (input: RouteInput, place: Place): string => {
  const { flows: all } = agentAt(input, place)
  const state = stateAt(input, place)
  const list = Object.entries(all).map(([name, { description }]) => `- ${name}: ${description}`)
  if (state === undefined)
    return list.length === 0 ? "" : `Flows that \`start_flow\` starts:\n${list.join("\n")}`
  return `The customer is in the flow "${place.flow}", state "${place.state}". ${state.instructions}`.trim()
}

const language = ({ language: tag }: RouteInput): string =>
  tag === ""
    ? ""
    : `Reply in the language with the tag "${tag}", whatever the language of results is.`

/** Of a hop that answers. */
export const fullSections = (
  input: RouteInput,
  place: Place,
  handover: string | undefined,
): ReadonlyArray<Part> => {
  const agent = agentAt(input, place)
  const identity = `You are the agent "${titleOf(place.agent, agent)}": ${agent.description}`
  return [
    ...part("agent", `${identity}\n${agent.prompt}`.trim(), true),
    ...part("navigation", navigation(input, place), true),
    ...part("flow", flows(input, place)),
    ...part("language", language(input)),
    ...part("profile", labelled("The customer", input.profile)),
    ...part("product_context", labelled("What the customer has", input.context)),
    ...part("entities", labelled("Mentioned before", input.entities)),
    ...part("handover", handover === undefined ? "" : `You take over: ${handover}`),
  ]
}

/** Of a hop that only decides who is in charge. */
export const routingSections = (
  input: RouteInput,
  place: Place,
  handover: string | undefined,
): ReadonlyArray<Part> => {
  const agent = agentAt(input, place)
  const name = isObject(input.profile) ? input.profile["name"] : undefined
  return [
    ...part(
      "agent",
      `You decide which agent serves the customer. The request is with "${place.agent}": ${agent.description} Call \`stay\` if it is for this agent, else \`hand_over\`.`,
      true,
    ),
    ...part("navigation", navigation(input, place), true),
    ...part("language", language(input)),
    ...part("profile", typeof name === "string" ? `The customer is ${name}.` : ""),
    ...part("handover", handover === undefined ? "" : `It was handed over: ${handover}`),
  ]
}
