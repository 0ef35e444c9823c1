/** Agents of a conversation with their flows, as an author declares them, and the place that a conversation is at. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { ToolChoice } from "../ToolChoice.ts"

export interface Transition {
  readonly to: string
  /** A successful call of it makes the transition. */
  readonly tool?: string
  /** CEL over `request`, `calls` and `entities`. */
  readonly when?: string
}

export interface FlowState {
  readonly instructions: string
  /** What is said on entering it without a model. */
  readonly reply?: string
  /** Names of the agent's tools; all of them unless written. */
  readonly tools?: ReadonlyArray<string>
  readonly next: ReadonlyArray<Transition>
  /** The flow is over once the state is reached. */
  readonly final: boolean
}

export interface Flow {
  /** For people, in the language of the turn; the flow's name unless written. */
  readonly title?: string
  readonly description: string
  readonly examples: ReadonlyArray<string>
  readonly start: string
  readonly states: { readonly [state: string]: FlowState }
}

export interface Agent {
  /** For people, in the language of the turn; the agent's name unless written. */
  readonly title?: string
  readonly description: string
  readonly examples: ReadonlyArray<string>
  readonly prompt: string
  /** What is said without a model when no tool of the agent is asked for. */
  readonly reply?: string
  readonly tools: ReadonlyArray<ToolChoice>
  /** Agents that it may hand over to; all others unless written. */
  readonly hands_over_to?: ReadonlyArray<string>
  /** A person, whom no model plays. */
  readonly human: boolean
  readonly flows: { readonly [flow: string]: Flow }
}

export interface Agents {
  readonly [agent: string]: Agent
}

/** A question that the last reply asked without a model. */
export interface Asked {
  /** The request that the question is about. */
  readonly request: string
  /** Targets to choose from: `agent` or `agent/flow`; empty if the question asks for a value. */
  readonly choices: ReadonlyArray<string>
  /** A yes makes the request. */
  readonly offered?: boolean
}

/** Values of params by tool. */
export interface FlowValues {
  readonly [tool: string]: JsonObject
}

/** What a conversation keeps from turn to turn. */
export interface Place {
  readonly agent: string
  readonly flow?: string
  readonly state?: string
  readonly asked?: Asked
  /** Without a model: values that messages of the flow gave, by tool. */
  readonly given?: FlowValues
  /** The flow that another request interrupted. */
  readonly paused?: { readonly agent: string; readonly flow: string; readonly state: string }
}

export interface PastTurn {
  readonly user: string
  readonly assistant: string
}

export interface RouteInput {
  readonly request: string
  readonly history: ReadonlyArray<PastTurn>
  readonly agents: Agents
  readonly start: string
  readonly current?: JsonObject | null
  readonly hop_mode: string
  readonly max_hops: number
  readonly max_turns: number
  readonly max_calls?: number
  readonly parallel: number
  readonly approve: ReadonlyArray<string>
  readonly auto_approve: ReadonlyArray<string>
  readonly profile?: Json
  readonly context?: Json
  readonly entities?: Json
  readonly language: string
  readonly least: number
  readonly margin: number
}

/** Where the turn starts: the last place, as far as the agents still have it. A person answers outside the workflow. */
export const placeOf = ({ agents, current, start }: RouteInput): Place => {
  const { agent, asked, flow, given, paused, state } = (current ?? {}) as Partial<Place>
  const known = agent === undefined || !Object.hasOwn(agents, agent) ? undefined : agents[agent]
  if (agent === undefined || known === undefined || known.human) return { agent: start }
  const open = {
    ...(asked == null ? {} : { asked }),
    ...(paused != null && hasState(agents, paused) ? { paused } : {}),
  }
  const here = { agent, flow: flow ?? "", state: state ?? "" }
  return hasState(agents, here)
    ? { ...here, ...(given == null ? {} : { given }), ...open }
    : { agent, ...open }
}

const hasState = (
  agents: Agents,
  { agent, flow, state }: { readonly agent: string; readonly flow: string; readonly state: string },
): boolean =>
  Object.hasOwn(agents, agent) &&
  Object.hasOwn(agents[agent]!.flows, flow) &&
  Object.hasOwn(agents[agent]!.flows[flow]!.states, state)

export const agentAt = ({ agents }: Pick<RouteInput, "agents">, { agent }: Place): Agent =>
  agents[agent]!

export const stateAt = (input: Pick<RouteInput, "agents">, place: Place): FlowState | undefined =>
  place.flow === undefined
    ? undefined
    : agentAt(input, place).flows[place.flow]!.states[place.state!]

/** Agents that a user can ask for: without the one that starts, if it only greets. */
export const offeredAgents = ({
  agents,
  start,
}: Pick<RouteInput, "agents" | "start">): ReadonlyArray<string> => {
  const names = Object.keys(agents)
  const { flows, tools } = agents[start]!
  const others = names.filter((name) => name !== start)
  const onlyGreets = tools.length === 0 && Object.keys(flows).length === 0
  return onlyGreets && others.length > 0 ? others : names
}

/** The state in which a flow of the agent starts. */
export const flowStart = (
  input: Pick<RouteInput, "agents">,
  agent: string,
  flow: string,
): Place => ({
  agent,
  flow,
  state: input.agents[agent]!.flows[flow]!.start,
})

/** Agents that the one in charge may hand over to. */
export const heirsOf = ({ agents }: Pick<RouteInput, "agents">, { agent }: Place) =>
  (agents[agent]!.hands_over_to ?? Object.keys(agents)).filter(
    (name) => name !== agent && Object.hasOwn(agents, name),
  )

export const titleOf = (name: string, { title }: Pick<Agent, "title">): string =>
  title ?? name.replaceAll("_", " ")
