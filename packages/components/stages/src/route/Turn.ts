/** What one turn of a conversation has done so far, and its output. */
import type { CallRecord, Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { succeed, type Effect } from "effect/Effect"
import { writes } from "@planloom/planning/reading"
import { madeCalls } from "../madeCalls.ts"
import { spokenResult } from "./spokenResult.ts"
import { agentAt, placeOf, titleOf, type Asked, type Place, type RouteInput } from "./Agents.ts"

export interface Hop {
  readonly agent: string
  readonly mode: "full" | "routing" | "mechanical"
  /** The navigation tool that ended it; empty for the hop that answered. */
  readonly navigated: string
}

export interface Handover {
  readonly from: string
  readonly to: string
  readonly reason: string
}

export class Turn {
  readonly input: RouteInput
  readonly context: StageContext
  place: Place
  private readonly startedAt: Place
  private announced = ""
  readonly hops: Array<Hop> = []
  readonly calls: Array<CallRecord> = []
  handover: Handover | undefined

  constructor(input: RouteInput, context: StageContext, place: Place) {
    this.input = input
    this.context = context
    this.place = place
    this.startedAt = place
  }

  /** Whether the conversation is at another place than before. */
  get hasMoved(): boolean {
    const { agent, flow, state } = this.startedAt
    return this.place.agent !== agent || this.place.flow !== flow || this.place.state !== state
  }

  /** Another agent takes over: a flow that was left in between can be resumed. The agent in charge stays in its flow. */
  goTo(next: Place): void {
    const { agent, flow, paused, state } = this.place
    if (next.agent === agent && flow !== undefined) return
    const left = flow === undefined ? paused : { agent, flow, state: state! }
    this.place =
      left === undefined || (next.flow === left.flow && next.agent === left.agent)
        ? next
        : { ...next, paused: left }
  }

  /** Undefined if it is not known. */
  get language(): string | undefined {
    const { language } = this.input
    return language === "" ? undefined : language
  }

  /** The engine's own words, in the language of the turn. */
  say(name: string, values: { readonly [placeholder: string]: string } = {}): string {
    const { language } = this
    return this.context.text(name, language === undefined ? { values } : { language, values })
  }

  /** Shows the host who is in charge, once for each place. */
  get announce(): Effect<void> {
    const { agent, flow, state } = this.place
    const title = titleOf(agent, agentAt(this.input, this.place))
    const inFlow = flow === undefined ? undefined : agentAt(this.input, this.place).flows[flow]
    const where = inFlow === undefined ? title : `${title}, ${inFlow.title ?? `${flow}: ${state}`}`
    const data: JsonObject = { agent, flow: flow ?? "", state: state ?? "" }
    const key = JSON.stringify(data)
    if (key === this.announced) return succeed(undefined)
    this.announced = key
    return this.context.note("in_charge", data, {
      audience: "user",
      text: where,
      isAuthored: true,
    })
  }

  /** What the results of calls say, or a question. */
  get known(): string {
    const { tools } = this.context
    const lines = this.calls.flatMap((call) => spokenResult(call, tools) ?? [])
    return lines.length === 0 ? this.say("clarify") : lines.join("\n")
  }

  /** The output for a blocked reply, which `text` replaces. */
  blocked(text: string): Json {
    const { context, input } = this
    const changes = this.calls.some(
      ({ ok, tool }) => ok && context.tools.some((one) => one.name === tool && writes(one)),
    )
    return blockedOutput(text, input, this.output(text) as JsonObject, changes)
  }

  output(text: string, more: { readonly asked?: Asked; readonly escalated?: true } = {}): Json {
    const { asked, escalated = false } = more
    return {
      ...restingOutput(text, this.place, asked),
      hops: this.hops.map((hop) => ({ ...hop })),
      calls: madeCalls(this.calls),
      entities: this.calls.flatMap(({ entities = [] }) => entities),
      escalated,
      ...(this.handover === undefined ? {} : { handover: { ...this.handover } }),
    }
  }
}

/**
 * The user does not know where a blocked reply has led, so the conversation is where it was before it. Once something was
 * changed, it leaves its flow, whose steps are no longer true.
 */
export const blockedOutput = (
  text: string,
  input: RouteInput,
  { calls = [], entities = [], hops = [] }: JsonObject,
  changes: boolean,
): JsonObject => ({
  ...restingOutput(text, changes ? { agent: input.start } : placeOf(input)),
  hops,
  calls,
  entities: changes ? entities : [],
  escalated: true,
})

/** The output of a turn in which nothing has been done. */
export const restingOutput = (text: string, at: Place, asked?: Asked): JsonObject => {
  const { agent, flow = "", state = "" } = at
  const { asked: _before, ...place } = at
  return {
    text,
    agent,
    flow,
    state,
    place: { ...place, ...(asked === undefined ? {} : { asked: { ...asked } }) } as JsonObject,
    hops: [],
    calls: [],
    entities: [],
    asks: asked !== undefined,
    escalated: false,
  }
}
