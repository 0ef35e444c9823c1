/** Hops of a model: the first one in full, later ones decide who is in charge, and the one who keeps the request answers. */
import * as Effect from "effect/Effect"
import {
  isToolPattern,
  meansTool,
  type AgentReply,
  type Asking,
  type CallRecord,
  type Failure,
  type Json,
  type Message,
  type StageContext,
  type ToolOffer,
} from "@planloom/plugin/effect"
import { agentAt, placeOf, stateAt, type Place, type RouteInput } from "./Agents.ts"
import { nameOfOffer, offersOf, type Offered } from "../ToolChoice.ts"
import { HAND_OVER, navigationOffers, placeAfter, routingOffers, STAY } from "./navigation.ts"
import { fullSections, routingSections } from "./sections.ts"
import { movedPlace } from "./transitions.ts"
import { Turn } from "./Turn.ts"

/** Replies of a routing hop: one may have to be corrected. */
const ROUTING_TURNS = 2

export const routeWithModel = (input: RouteInput, context: StageContext) =>
  new Conversation(new Turn(input, context, withoutQuestion(placeOf(input)))).run()

/** The first hop has its turns, and each later one those of a hop that routes, if they are more. */
export const hopQuestions = (hops: number, turns: number): ReadonlyArray<Asking> => [
  { way: "agent", turns, isReply: true },
  {
    way: "agent",
    times: Math.max(0, hops - 1),
    turns: Math.max(ROUTING_TURNS, turns),
    isReply: true,
  },
]

/** A model reads its question in the history. */
const withoutQuestion = ({ asked: _, ...place }: Place): Place => place

const keyOf = ({ agent, flow, state }: Place): string => `${agent}/${flow ?? ""}/${state ?? ""}`

class Conversation {
  private readonly turn: Turn
  private messages: ReadonlyArray<Message>
  private isRouting = false
  /** Places since the last tool call. */
  private passed = new Set<string>()

  constructor(turn: Turn) {
    this.turn = turn
    const { history, request } = turn.input
    this.messages = [
      ...history.flatMap(({ assistant, user }): ReadonlyArray<Message> => [
        { role: "user", content: user },
        ...(assistant === "" ? [] : [{ role: "assistant", content: assistant } as const]),
      ]),
      { role: "user", content: request },
    ]
    this.passed.add(keyOf(turn.place))
  }

  run(): Effect.Effect<Json, Failure> {
    return Effect.gen({ self: this }, function* () {
      const { turn } = this
      const { input } = turn
      yield* turn.announce
      while (!agentAt(input, turn.place).human) {
        if (turn.hops.length >= input.max_hops) return turn.output(turn.known)
        const reply = yield* this.hop()
        if (reply.calls.length > 0) this.passed = new Set([keyOf(turn.place)])
        const before = turn.place
        turn.place = yield* movedPlace(input, before, reply.calls, turn.context)
        const { handover, stopped } = reply
        const isAnswered = stopped !== "handover" && stopped !== "stop_when" && !this.isRouting
        const { agent } = before
        const mode = this.isRouting ? "routing" : "full"
        turn.hops.push({ agent, mode, navigated: handover?.tool ?? (isAnswered ? "" : STAY) })
        yield* turn.context.note("hop", { agent, mode })
        if (isAnswered) {
          const text = reply.reply.text.trim()
          if (reply.reply.blocked === true) return turn.blocked(text)
          return turn.output(text === "" ? turn.known : text)
        }
        this.isRouting = false
        if (handover !== undefined && handover.tool !== STAY && this.isLoop(handover))
          return turn.output(turn.known)
        if (keyOf(turn.place) !== keyOf(before)) yield* turn.announce
      }
      return turn.output(turn.say("escalate"), { escalated: true })
    })
  }

  /** Moves; true for a place that the turn was at before, without a tool call since. */
  private isLoop(handover: NonNullable<AgentReply["handover"]>): boolean {
    const { turn } = this
    const { agent: from } = turn.place
    const next = placeAfter(turn.input, turn.place, handover)
    if (this.passed.has(keyOf(next))) return true
    this.passed.add(keyOf(next))
    turn.place = next
    if (handover.tool === HAND_OVER) {
      turn.handover = { from, to: next.agent, reason: String(handover.params["reason"]) }
      this.isRouting = turn.input.hop_mode !== "full"
    }
    return false
  }

  private hop(): Effect.Effect<AgentReply, Failure> {
    return this.isRouting ? this.route() : this.answer()
  }

  private route(): Effect.Effect<AgentReply, Failure> {
    const { context, input, place } = this.turn
    return context.model.agent(
      {
        messages: this.messages,
        tools: routingOffers(input, place),
        parts: "hidden",
        examples: "none",
        prompt: {
          mode: input.hop_mode,
          vars: this.vars,
          sections: routingSections(input, place, this.turn.handover?.reason),
        },
      },
      { turns: ROUTING_TURNS },
    )
  }

  private answer(): Effect.Effect<AgentReply, Failure> {
    return Effect.gen({ self: this }, function* () {
      const { turn } = this
      const { calls, context, input, place } = turn
      const tools = yield* offersOf(agentAt(input, place).tools, context)
      const { max_calls: most } = input
      const reply = yield* context.model.agent(
        {
          messages: this.messages,
          tools: [...allowed(tools, input, place), ...navigationOffers(input, place)],
          parts: "reply",
          examples: "system",
          prompt: {
            vars: this.vars,
            sections: fullSections(input, place, turn.handover?.reason),
          },
        },
        {
          turns: input.max_turns,
          parallel: input.parallel,
          approve: input.approve,
          autoApprove: input.auto_approve,
          ...(most === undefined ? {} : { calls: Math.max(0, most - calls.length) }),
          ...(stateAt(input, place) === undefined
            ? {}
            : {
                stopWhen: (now) =>
                  Effect.map(
                    movedPlace(input, place, now, context),
                    (moved) => keyOf(moved) !== keyOf(place),
                  ),
              }),
        },
      )
      this.messages = [...this.messages, ...exchange(reply.calls, turn.hops.length)]
      calls.push(...reply.calls)
      return reply
    })
  }

  private get vars() {
    const { agent, flow = "", state = "" } = this.turn.place
    return { agent, flow, state }
  }
}

/** A state of a flow limits the tools of its agent. */
const allowed = (
  tools: ReadonlyArray<Offered>,
  input: RouteInput,
  place: Place,
): ReadonlyArray<string | ToolOffer> => {
  const names = stateAt(input, place)?.tools
  if (names === undefined) return tools
  return tools.flatMap((one): ReadonlyArray<Offered> => {
    const offered = nameOfOffer(one)
    if (!isToolPattern(offered)) return names.includes(offered) ? [one] : []
    const meant = names.filter((name) => meansTool(offered, name))
    return typeof one === "string" ? meant : meant.map((tool) => ({ ...one, tool }))
  })
}

/** Calls of an earlier hop and their results, as the next one reads them. */
const exchange = (calls: ReadonlyArray<CallRecord>, hop: number): ReadonlyArray<Message> => {
  if (calls.length === 0) return []
  const named = calls.map((call, at) => ({ call, id: `hop_${hop}_call_${at}` }))
  return [
    {
      role: "assistant",
      content: "",
      toolCalls: named.map(({ call, id }) => ({ id, name: call.tool, arguments: call.params })),
    },
    ...named.map(({ call, id }): Message => ({
      role: "tool",
      toolCallId: id,
      name: call.tool,
      content: call.ok ? bounded(call) : { error: call.error ?? "" },
    })),
  ]
}

/** Characters of a result as JSON that a later hop reads. */
const MAX_RESULT_CHARACTERS = 16_000

const bounded = ({ result = null, summary }: CallRecord): Json =>
  JSON.stringify(result).length <= MAX_RESULT_CHARACTERS ? result : { summary }
