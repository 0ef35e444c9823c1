/** The tool loop of a model: asks, runs the calls it wants, and ends with an answer, a handover or a limit. */
import * as Effect from "effect/Effect"
import {
  isCut,
  type AgentLimits,
  type AgentReply,
  type AgentStop,
  type Ask,
  type Failure,
  type Json,
  type Message,
  type ModelFailed,
  type ModelReply,
  type ToolCall,
  type ToolOffer,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { ANSWER, answerTool, answerValue, type AnswerTool } from "./answerTool.ts"
import { AgentCalls } from "./AgentCalls.ts"
import type { AgentSite, Declared, LoopReply } from "./AgentSite.ts"
import { AFTER_LAST, lastNote, lastTurn, nearNote, withNote } from "./limitNotes.ts"
import { hasLazy, lazyDeclarations, lazyTools, meantCall } from "./lazyTools.ts"
import { warmPages } from "./toolDocumentation.ts"
import { errorMessage } from "./toolContent.ts"

/** Calls that run at the same time unless the limits say otherwise. */
const PARALLEL_CALLS = 8

/** Turns in a row whose call the service cannot read, after which the loop fails. */
const MAX_UNREAD = 2

export class AgentLoop {
  private readonly ask: Ask
  private readonly limits: AgentLimits
  private readonly site: AgentSite
  private readonly answer: AnswerTool | undefined
  /** The tool of the answer. */
  private readonly own: ReadonlyArray<Declared>
  private readonly calls: AgentCalls
  private messages: ReadonlyArray<Message>
  private turns = 0
  /** Turns in a row whose call the service could not read. */
  private unread = 0
  private tokens = 0
  private lastTokens = 0
  /** The reason why the turn that runs is the last one. */
  private last: AgentStop | undefined
  private reply: ModelReply | undefined
  private value: Json | undefined

  constructor(ask: Ask, limits: AgentLimits, site: AgentSite) {
    this.answer = limits.result === undefined ? undefined : answerTool(limits.result)
    this.own = this.answer === undefined ? [] : [this.answer.declaration]
    this.ask = this.answer === undefined ? ask : withInstruction(ask)
    this.limits = limits
    this.site = site
    this.calls = new AgentCalls(limits, site, this.answer)
    this.messages = ask.messages
  }

  private get isSpent(): boolean {
    const { tokens } = this.limits
    return tokens !== undefined && this.tokens >= tokens
  }

  /** The same objects at each turn with the same offers, so that a service finds them in its cache. */
  private readonly more = (offers: ReadonlyArray<ToolOffer>): ReadonlyArray<Declared> => {
    if (hasLazy(offers)) {
      warmPages(lazyTools(offers, this.site))
      return [...lazyDeclarations, ...this.own]
    }
    return this.own
  }

  /** Asks when this is called, not when the effect runs: suspend it. */
  turn(): Effect.Effect<AgentReply, Failure> {
    const { limits } = this
    if (this.isSpent) return this.ended("budget")
    if (this.turns >= limits.turns) return this.ended("max_turns")
    this.turns++
    const asked = this.site.ask({ ...this.ask, messages: this.noted() }, this.more)
    return Effect.matchEffect(asked, {
      onFailure: (failure) => {
        if (failure.class === "budget" && this.reply !== undefined) return this.ended("budget")
        return isUnreadCall(failure) && ++this.unread <= MAX_UNREAD
          ? this.calledUnreadably(failure)
          : Effect.fail(failure)
      },
      onSuccess: ({ offers, reply }) => {
        this.unread = 0
        this.reply = reply
        this.lastTokens = reply.usage.input + reply.usage.output
        this.tokens += this.lastTokens
        return reply.toolCalls.length === 0
          ? this.answered(reply)
          : this.called(reply.toolCalls, reply, offers)
      },
    })
  }

  /** The messages of this turn, with a note near a limit. A note that stays keeps the cached prefix. */
  private noted(): ReadonlyArray<Message> {
    const { calls, lastTokens, limits, tokens, turns } = this
    const use = { turns, calls: calls.made.length, tokens, lastTokens }
    this.last = lastTurn(limits, use)
    if (this.last !== undefined) return withNote(this.messages, lastNote(limits))
    const note = nearNote(limits, use)
    if (note !== undefined) this.messages = withNote(this.messages, note)
    return this.messages
  }

  /** A service that cannot read a call of its model gives nothing of the reply. */
  private calledUnreadably(failure: ModelFailed): Effect.Effect<AgentReply, Failure> {
    const { limits, reply } = this
    const { message, usage } = failure
    if (usage !== undefined) this.tokens += usage.input + usage.output
    // Without a reply there is nothing to end with.
    if (reply === undefined && (this.turns >= limits.turns || this.isSpent)) {
      return Effect.fail(failure)
    }
    const content = `No tool was called: ${message}. Call the tool again, with one JSON object.`
    return this.next([{ role: "user", content }])
  }

  /** A reply without calls is the answer, or has to become one that fits. */
  private answered(reply: LoopReply): Effect.Effect<AgentReply, Failure> {
    const { answer, limits } = this
    if (reply.unread !== undefined) {
      return this.next([
        { role: "assistant", content: reply.text },
        {
          role: "user",
          content: `That cannot be read, so no tool was called: ${reply.unread}. Reply again.`,
        },
      ])
    }
    if (answer === undefined) {
      return Effect.flatMap(this.site.complete(this.ask, reply), (whole) => {
        this.reply = whole
        if (this.last !== undefined && whole.text.trim() === "") return this.ended(this.last)
        return this.ended(isCut(whole.finish) ? "cut_off" : "answer")
      })
    }
    return Effect.flatMapEager(this.site.read(reply, limits.result!), (read) => {
      if (read.ok) {
        this.value = read.value
        return this.ended("answer")
      }
      // Its text is that of a gate, which would block the next one, too.
      if (reply.finish === "content_filter") return this.ended("answer")
      return this.next([
        { role: "assistant", content: reply.text },
        {
          role: "user",
          content: `That is not an answer of the required shape. Call \`${ANSWER}\` with it.`,
        },
      ])
    })
  }

  private called(
    wanted: ReadonlyArray<ToolCall>,
    reply: ModelReply,
    offers: ReadonlyArray<ToolOffer>,
  ): Effect.Effect<AgentReply, Failure> {
    if (isCut(reply.finish)) {
      // Its last call may lack some of its arguments.
      const content = errorMessage("the reply was cut off, so this call was not made; be shorter")
      return this.next([
        { role: "assistant", content: reply.text, toolCalls: wanted },
        ...wanted.map((call) => toolMessage(call, content)),
      ])
    }
    const meant = wanted.map((call) => meantCall(call, offers))
    const handover = meant.find((call) => call.unread === undefined && this.handsOver(call, offers))
    if (handover !== undefined) {
      return this.ended("handover", { tool: handover.name, params: handover.arguments })
    }
    const [only] = wanted
    if (
      wanted.length === 1 &&
      only!.name === ANSWER &&
      only!.unread === undefined &&
      this.answer !== undefined
    ) {
      const value = answerValue(this.answer, only!.arguments)
      const issues = validatorOf(this.limits.result!)(value)
      if (issues.length === 0) {
        this.value = value
        return this.ended("answer")
      }
    }
    const { last } = this
    if (last !== undefined) {
      const refused = this.calls.refuseAll(meant, offers, AFTER_LAST)
      return Effect.flatMap(refused, () => this.ended(last))
    }
    const { calls: most } = this.limits
    const left = most === undefined ? Infinity : most - this.calls.made.length
    const planned = this.calls.plan(meant, offers)
    let counted = 0
    const done = Effect.forEach(
      planned,
      ({ beyondLimit, content, isCounted, run }) => {
        if (run === undefined) return Effect.succeed(content!)
        return isCounted && ++counted > left && beyondLimit !== undefined ? beyondLimit() : run
      },
      // One call needs no fiber of its own.
      { concurrency: planned.length === 1 ? 1 : (this.limits.parallel ?? PARALLEL_CALLS) },
    )
    return Effect.matchEffect(done, {
      onFailure: (failure) =>
        failure.class === "budget" ? this.ended("budget") : Effect.fail(failure),
      onSuccess: (results) => {
        const exchange: ReadonlyArray<Message> = [
          { role: "assistant", content: reply.text, toolCalls: wanted },
          ...results.map((content, at) => toolMessage(wanted[at]!, content)),
        ]
        const { stopWhen } = this.limits
        return stopWhen === undefined
          ? this.next(exchange)
          : Effect.flatMap(stopWhen(this.calls.made), (stop) =>
              stop ? this.ended("stop_when") : this.next(exchange),
            )
      },
    })
  }

  private handsOver({ arguments: params, name }: ToolCall, offers: ReadonlyArray<ToolOffer>) {
    const offer = offers.find((one) => one.tool === name && one.ends === true)
    const tool = offer?.own ?? this.site.tool(name)
    return (
      offer !== undefined && tool !== undefined && validatorOf(tool.params)(params).length === 0
    )
  }

  private next(messages: ReadonlyArray<Message>) {
    this.messages = [...this.messages, ...messages]
    return this.turn()
  }

  private ended(stopped: AgentStop, handover?: AgentReply["handover"]): Effect.Effect<AgentReply> {
    return Effect.succeed({
      reply: this.reply!,
      calls: this.calls.made,
      stopped,
      ...(this.value === undefined ? {} : { value: this.value }),
      ...(handover === undefined ? {} : { handover }),
    })
  }
}

const isUnreadCall = ({ class: reason, detail }: ModelFailed): boolean =>
  reason === "invalid_output" && isObject(detail) && detail["unreadCall"] === true

const toolMessage = ({ id, name }: ToolCall, content: Json): Message => ({
  role: "tool",
  toolCallId: id,
  name,
  content,
})

const instruction = {
  id: "answer",
  text: `When you have the answer, call \`${ANSWER}\` with it, alone.`,
  stable: true,
}

const withInstruction = (ask: Ask): Ask => ({
  ...ask,
  prompt: { ...ask.prompt, sections: [...(ask.prompt?.sections ?? []), instruction] },
})
