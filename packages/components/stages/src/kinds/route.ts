/** Stage kind `route`: one turn of a conversation by agents, which hand over to each other and lead through flows. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext, Wording } from "@planloom/plugin/effect"
import { languageOf, wordingIn } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import { withSummary } from "@planloom/stage-kit"
import { placeOf, type Agent, type Flow, type FlowState, type RouteInput } from "../route/Agents.ts"
import { checkAgents, toolReferences } from "../route/checkAgents.ts"
import { routeMechanically } from "../route/routeMechanically.ts"
import { placeVars, routeInput, routeOutput } from "../route/routeSchema.ts"
import { hopQuestions, routeWithModel } from "../route/routeWithModel.ts"
import { blockedOutput, restingOutput } from "../route/Turn.ts"
import { sectionIds } from "../route/sections.ts"
import { listedTools, toolsAsked } from "../ToolChoice.ts"
import { conditionPaths, transitionVariables } from "../route/transitions.ts"

const mapValues = <A, B>(object: { readonly [key: string]: A }, turn: (value: A) => B) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, turn(value)]))

/** Texts for people as they are written: one for all, or one by language. */
const inLanguage = (
  { reply, title }: { readonly title?: Wording; readonly reply?: Wording },
  language: string | undefined,
) => ({
  ...(title === undefined ? {} : { title: wordingIn(title, language) }),
  ...(reply === undefined ? {} : { reply: wordingIn(reply, language) }),
})

const wholeState = (state: FlowState, language: string | undefined): FlowState => ({
  ...state,
  ...inLanguage(state, language),
  instructions: state.instructions ?? "",
  next: state.next ?? [],
  final: state.final ?? false,
})

const wholeFlow = (flow: Flow, language: string | undefined): Flow => ({
  ...flow,
  ...inLanguage(flow, language),
  examples: flow.examples ?? [],
  states: mapValues(flow.states, (state) => wholeState(state, language)),
})

/** With defaults inside agents, which the engine fills in at the top only. */
const wholeAgent = (agent: Agent, language: string | undefined): Agent => ({
  ...agent,
  ...inLanguage(agent, language),
  examples: agent.examples ?? [],
  prompt: agent.prompt ?? "",
  tools: agent.tools ?? [],
  human: agent.human ?? false,
  flows: mapValues(agent.flows ?? {}, (flow) => wholeFlow(flow, language)),
})

const whole = (input: RouteInput, { user }: StageContext): RouteInput => {
  const language = input.language === "" ? languageOf(user) : input.language
  return {
    ...input,
    agents: mapValues(input.agents, (agent) => wholeAgent(agent, language)),
    language: language ?? "",
  }
}

const summary = (output: Json): string => {
  const { agent, hops } = output as {
    readonly agent: string
    readonly hops: ReadonlyArray<Json>
  }
  return `${agent}, ${hops.length} hop${hops.length === 1 ? "" : "s"}`
}

/** Undefined if an agent is known in the run only. */
const toolsOf = (agents: Json | undefined): Json | undefined => {
  if (!isObject(agents)) return undefined
  const all = Object.values(agents).map((agent) =>
    isObject(agent) ? ((agent as JsonObject)["tools"] ?? []) : undefined,
  )
  return all.every(Array.isArray) ? all.flat() : undefined
}

/** Unknown before the run, or not limited. */
const limitOf = (value: Json | undefined): number => (typeof value === "number" ? value : Infinity)

export const route = stageKind<RouteInput>({
  id: "route",
  summary: "Answers one turn of a conversation by the agent that the request is for.",
  sections: sectionIds,
  vars: placeVars,
  input: routeInput,
  output: routeOutput,
  searches: "mechanical",
  streams: "text",
  refers: (_, { agents, approve, auto_approve: auto, hop_mode: mode }) => [
    ...toolReferences(agents),
    ...(typeof mode === "string" && !mode.includes("${{")
      ? [{ to: "mode", id: mode, at: ["hop_mode"] }]
      : []),
    ...listedTools("approve", approve),
    ...listedTools("auto_approve", auto),
  ],
  conditions: (_, { agents }) =>
    Object.fromEntries(conditionPaths(agents).map((path) => [path, transitionVariables])),
  check: checkAgents,
  asks: ({ with: { agents, max_calls: calls, max_hops: hops, max_turns: turns } }) => ({
    questions: hopQuestions(limitOf(hops), limitOf(turns)),
    calls: limitOf(calls),
    ...toolsAsked(toolsOf(agents)),
    searches: Infinity,
  }),
  model: withSummary(
    (input: RouteInput, context: StageContext) =>
      Effect.suspend(() => routeWithModel(whole(input, context), context)),
    summary,
  ),
  refused: (text, input) => restingOutput(text, placeOf(input)),
  blocked: blockedOutput,
  mechanical: withSummary(
    (input: RouteInput, context: StageContext) =>
      Effect.suspend(() => routeMechanically(whole(input, context), context)),
    summary,
  ),
})
