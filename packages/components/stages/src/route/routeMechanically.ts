/** A turn without a model: routed by the index, answered by tools whose call every word asks for, or by a question. */
import * as Effect from "effect/Effect"
import { isToolAmong, type Failure, type Json, type StageContext } from "@planloom/plugin/effect"
import { titleOfTool } from "@planloom/plugin/texts"
import {
  clausesOf,
  dialogueAct,
  grammarOf,
  openPhrases,
  withoutInterjections,
  writes,
  type CallReading,
  type DialogueAct,
  type RequestReading,
} from "@planloom/planning/reading"
import { agentAt, offeredAgents, placeOf, stateAt, type Place, type RouteInput } from "./Agents.ts"
import { questionOf } from "../readMessage.ts"
import { asksAnew, isServedBy, readHere } from "./readHere.ts"
import { failureText } from "./failureText.ts"
import { startedFlow, leads, offerAt, remembering } from "./flowSteps.ts"
import { guardedIn } from "./flowValues.ts"
import { askElsewhere, readClauses, readElsewhere } from "./readElsewhere.ts"
import { spokenResult } from "./spokenResult.ts"
import { chosenTarget, findTarget, labelOf, placeOfTarget, type Target } from "./targets.ts"
import { movedPlace } from "./transitions.ts"
import { Turn } from "./Turn.ts"

export const routeMechanically = (
  input: RouteInput,
  context: StageContext,
): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const turn = new Turn(input, context, placeOf(input))
    const { asked } = turn.place
    const grammar = grammarOf(input.language)
    const act = dialogueAct(input.request, grammar)
    const isTaken = asked?.offered === true && act === "affirm"
    const request = isTaken ? asked.request : withoutInterjections(input.request, grammar)
    const target = asked && chosenTarget(asked, request, input)
    if (asked !== undefined && target !== undefined) {
      turn.place = placeOfTarget(input, target)
      return yield* serve(turn, asked.request)
    }
    if (act !== undefined) yield* context.note("dialogue_act", { act })
    const isAnswer = asked?.choices.length === 0 && !asksAnew(request, turn)
    if (act !== undefined && !(act === "affirm" && isAnswer)) {
      const moved = yield* movedPlace(input, turn.place, [], context)
      return moved === turn.place ? yield* replyTo(turn, act) : yield* entered(turn, moved)
    }
    const before = isAnswer && asked.offered !== true ? asked.request : undefined
    const here = yield* readHere(turn, request, before)
    if (isUnderstood(here)) turn.place = remembering(turn, turn.place, request)
    if (here.type === "calls" && isServedBy(request, here.calls, turn)) {
      yield* turn.announce
      return yield* makeCalls(turn, here.calls, request)
    }
    const moved = yield* movedPlace(input, turn.place, [], context)
    if (moved !== turn.place) return yield* entered(turn, moved)
    const found = yield* findTarget(request, input, turn.place, context)
    const elsewhere = yield* readElsewhere(turn, request, found, here.type === "ask")
    if (elsewhere !== undefined) {
      turn.goTo(elsewhere.place)
      yield* turn.announce
      return yield* makeCalls(turn, elsewhere.calls, request)
    }
    const both = yield* readClauses(turn, clausesOf(request, grammar))
    if (both !== undefined) {
      yield* turn.announce
      return yield* makeCalls(turn, both, request)
    }
    if (here.type === "ask" && openPhrases(here.near.reading).length === 0)
      return yield* askAbout(turn, here)
    if (found.type === "one") {
      const guarded = guardedIn(request, placeOfTarget(input, found.target), turn)
      if (guarded.length > 0) {
        yield* turn.announce
        return answered(turn, notUnderstood(turn, guarded))
      }
      turn.goTo(placeOfTarget(input, found.target))
      return yield* serve(turn, request)
    }
    const asking = yield* askElsewhere(turn, request, found)
    if (asking !== undefined) {
      turn.goTo(asking.place)
      return yield* askAbout(turn, asking.reading)
    }
    if (here.type === "ask") return yield* askAbout(turn, here)
    if (turn.place.flow !== undefined) return yield* serve(turn, request)
    if (found.targets.length === 0 && isPartial(here)) {
      yield* turn.announce
      return answered(turn, notUnderstood(turn, here.open))
    }
    const targets = found.targets.length > 0 ? found.targets : offeredAgents(input)
    return yield* ask(turn, request, undefined, targets)
  })

/** Whether every word of a message has a use. */
const isUnderstood = (reading: RequestReading): boolean =>
  reading.type === "calls" ||
  (reading.type === "ask" && openPhrases(reading.near.reading).length === 0)

/** A message that asks for nothing new. */
const replyTo = (turn: Turn, act: DialogueAct): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const { input, place } = turn
    const { agent, paused } = place
    const open = stateAt(input, place)?.reply
    switch (act) {
      case "refuse":
        turn.place = { agent }
        yield* turn.announce
        return answered(turn, turn.say("declined"))
      case "thank":
        yield* turn.announce
        return answered(turn, turn.say("acknowledged"))
      case "greet": {
        yield* turn.announce
        const { reply } = agentAt(input, { agent: input.start })
        return answered(turn, reply ?? abilities(turn))
      }
      default:
        if (paused !== undefined && place.flow === undefined) return yield* entered(turn, paused)
        yield* turn.announce
        return answered(turn, open ?? turn.say("nothing_open", { choices: titles(turn) }))
    }
  })

/** The agent that the request is for answers it. */
const serve = (turn: Turn, request: string): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const { input, place } = turn
    yield* turn.announce
    const { human, reply } = agentAt(input, place)
    if (human) return answered(turn, turn.say("escalate"), { escalated: true })
    const reading = yield* readHere(turn, request)
    const state = stateAt(input, place)
    if (turn.hasMoved) turn.place = remembering(turn, place, request)
    // In a state that was entered before, a question is no answer to it.
    const said = turn.hasMoved || !asksAnew(request, turn) ? state?.reply : undefined
    if (reading.type === "calls") {
      if (said === undefined || leads(reading.calls, state))
        return yield* makeCalls(turn, reading.calls, request)
      return answered(turn, said)
    }
    // What the message has said is not asked for again.
    if (reading.type === "ask" && isUnderstood(reading) && hasValues(reading.near))
      return yield* askAbout(turn, reading)
    if (said !== undefined) return answered(turn, said)
    if (reading.type === "ask") return yield* askAbout(turn, reading)
    if (isPartial(reading)) return answered(turn, notUnderstood(turn, reading.open))
    return answered(turn, reply ?? abilities(turn))
  })

const hasValues = ({ params }: CallReading): boolean => Object.keys(params).length > 0

/** Whether a tool is meant, by words among others that are not understood. */
const isPartial = (reading: RequestReading): reading is Extract<RequestReading, { type: "none" }> =>
  reading.type === "none" && reading.near !== undefined && reading.open.length > 0

const notUnderstood = (turn: Turn, open: ReadonlyArray<string>): string =>
  turn.say("not_understood", { words: open.map((one) => `"${one}"`).join(", ") })

const entered = (turn: Turn, place: Place): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    turn.place = place
    yield* turn.announce
    return answered(turn, stateAt(turn.input, place)?.reply ?? turn.say("clarify"))
  })

const askAbout = (
  turn: Turn,
  reading: Extract<RequestReading, { type: "ask" }>,
): Effect.Effect<Json> =>
  ask(
    turn,
    reading.near.reading.text,
    questionOf(reading, turn.language, (name, values) => turn.say(name, values)),
    [],
  )

/**
 * A question is put once: after another answer than its choices the reply says what can be done. A value that was missing
 * continues the request that the last question was about, and the next one is asked for.
 */
const ask = (
  turn: Turn,
  request: string,
  question: string | undefined,
  choices: ReadonlyArray<Target>,
): Effect.Effect<Json> =>
  Effect.gen(function* () {
    const { input, place } = turn
    const { asked } = place
    yield* turn.announce
    const isFurther = asked !== undefined && request.startsWith(`${asked.request} `)
    if (asked !== undefined && !isFurther && sameChoices(asked.choices, choices))
      return answered(turn, abilities(turn))
    const labels = choices.map((target) => labelOf(input, target)).join(", ")
    const text = question ?? turn.say("choose", { choices: labels })
    return answered(turn, text, { asked: { request, choices } })
  })

const sameChoices = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

const titles = ({ input }: Turn): string =>
  offeredAgents(input)
    .map((name) => labelOf(input, name))
    .join(", ")

const abilities = (turn: Turn): string => turn.say("abilities", { choices: titles(turn) })

const answered = (turn: Turn, text: string, more: Parameters<Turn["output"]>[1] = {}): Json => {
  turn.hops.push({ agent: turn.place.agent, mode: "mechanical", navigated: "" })
  return turn.output(text, more)
}

/** Makes the calls that the words ask for; one that writes needs a person besides. */
const makeCalls = (
  turn: Turn,
  readings: ReadonlyArray<CallReading>,
  request: string,
): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const { context, input } = turn
    const started = startedFlow(turn, readings, request)
    if (started !== undefined) {
      turn.place = remembering(turn, started, request)
      yield* turn.announce
    }
    const lines: Array<string> = []
    for (const [at, { call, params }] of readings.entries()) {
      const { name } = call.tool
      const key = at === 0 ? name : `${name}#${at + 1}`
      const approve =
        isToolAmong(name, input.approve) ||
        (writes(call.tool) && !isToolAmong(name, input.auto_approve))
      const failure = yield* context
        .callTool({
          tool: name,
          params,
          key,
          settled: true,
          approve,
          ...(turn.language === undefined ? {} : { language: turn.language }),
        })
        .pipe(
          Effect.as(undefined),
          Effect.catchTag("ToolFailed", (failed) => failureText(failed, { call, params }, turn)),
        )
      const record = context.calls.findLast((one) => one.key === key && one.path === context.path)
      if (record !== undefined) turn.calls.push(record)
      lines.push(
        failure ??
          (record && spokenResult(record, context.tools)) ??
          turn.say("done", { tool: titleOfTool(call.tool, turn.language) }),
      )
    }
    const moved = yield* movedPlace(input, turn.place, turn.calls, context)
    const hasMoved = moved !== turn.place
    turn.place = moved
    if (hasMoved) yield* turn.announce
    const offer = turn.calls.every(({ ok }) => ok) ? offerAt(turn) : undefined
    if (offer !== undefined) lines.push(offer.text)
    else if (hasMoved) lines.push(stateAt(input, moved)?.reply ?? "")
    return answered(
      turn,
      lines.filter((line) => line !== "").join("\n"),
      offer === undefined ? {} : { asked: offer.asked },
    )
  })
