/** A turn without a model: routed by the index, answered by tools whose call every word asks for, or by a question. */
import * as Effect from "effect/Effect"
import type { Failure, Json, JsonObject, StageContext, ToolFailed } from "@planloom/plugin/effect"
import { argumentsText, titleOfTool } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import { writes, type CallReading } from "@planloom/planning/reading"
import { agentAt, placeOf, stateAt, type Place, type RouteInput } from "./Agents.ts"
import { asksAnew, questionOf, readHere } from "./readHere.ts"
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
    const { request } = input
    const target = asked && chosenTarget(asked, request, input)
    if (asked !== undefined && target !== undefined) {
      turn.place = placeOfTarget(input, target)
      return yield* serve(turn, asked.request)
    }
    const isAnswer = asked?.choices.length === 0 && !asksAnew(request, turn)
    const before = isAnswer ? asked.request : undefined
    const here = yield* readHere(turn, request, before)
    if (here.type === "calls") {
      yield* turn.announce
      return yield* act(turn, here.calls)
    }
    const moved = yield* movedPlace(input, turn.place, [], context)
    if (moved !== turn.place) return yield* entered(turn, moved)
    const found = yield* findTarget(request, input, turn.place, context)
    if (found.type === "one") {
      const next = placeOfTarget(input, found.target)
      // The agent in charge stays in its flow.
      if (next.agent !== turn.place.agent || turn.place.flow === undefined) turn.place = next
      return yield* serve(turn, request)
    }
    if (here.type === "ask") return yield* ask(turn, request, questionOf(here, turn), [])
    if (turn.place.flow !== undefined) return yield* serve(turn, request)
    const targets = found.targets.length > 0 ? found.targets : Object.keys(input.agents)
    return yield* ask(turn, request, undefined, targets)
  })

/** The agent that the request is for answers it. */
const serve = (turn: Turn, request: string): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const { input, place } = turn
    yield* turn.announce
    const { human, reply } = agentAt(input, place)
    if (human) return answered(turn, turn.say("escalate"), { escalated: true })
    const reading = yield* readHere(turn, request)
    if (reading.type === "calls") return yield* act(turn, reading.calls)
    const said = stateAt(input, place)?.reply
    if (said !== undefined) return answered(turn, said)
    if (reading.type === "ask") return yield* ask(turn, request, questionOf(reading, turn), [])
    if (reading.near !== undefined && reading.open.length > 0) {
      const words = reading.open.map((one) => `"${one}"`).join(", ")
      return answered(turn, turn.say("not_understood", { words }))
    }
    return answered(turn, reply ?? abilities(turn))
  })

const entered = (turn: Turn, place: Place): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    turn.place = place
    yield* turn.announce
    return answered(turn, stateAt(turn.input, place)?.reply ?? turn.say("clarify"))
  })

/** A question is put once: after another answer than its choices the reply says what can be done. */
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
    if (asked !== undefined && sameChoices(asked.choices, choices))
      return answered(turn, abilities(turn))
    const labels = choices.map((target) => labelOf(input, target)).join(", ")
    const text = question ?? turn.say("choose", { choices: labels })
    return answered(turn, text, { asked: { request, choices } })
  })

const sameChoices = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

const abilities = (turn: Turn): string => {
  const { input } = turn
  const titles = Object.keys(input.agents).filter((name) => name !== input.start)
  return turn.say("abilities", { choices: titles.map((name) => labelOf(input, name)).join(", ") })
}

const answered = (turn: Turn, text: string, more: Parameters<Turn["output"]>[1] = {}): Json => {
  turn.hops.push({ agent: turn.place.agent, mode: "mechanical", navigated: "" })
  return turn.output(text, more)
}

/** Makes the calls that the words ask for; one that writes needs a person besides. */
const act = (turn: Turn, readings: ReadonlyArray<CallReading>): Effect.Effect<Json, Failure> =>
  Effect.gen(function* () {
    const { context, input } = turn
    const lines: Array<string> = []
    for (const { call, params } of readings) {
      const { name } = call.tool
      const approve =
        input.approve.includes(name) || (writes(call.tool) && !input.auto_approve.includes(name))
      const failure = yield* context
        .callTool({
          tool: name,
          params,
          key: name,
          settled: true,
          approve,
          ...(turn.language === undefined ? {} : { language: turn.language }),
        })
        .pipe(
          Effect.as(undefined),
          Effect.catchTag("ToolFailed", (failed) => failureText(failed, { call, params }, turn)),
        )
      const record = context.calls.findLast(
        ({ key, path }) => key === name && path === context.path,
      )
      if (record !== undefined) turn.calls.push(record)
      lines.push(
        failure ??
          (record && spokenResult(record, context.tools)) ??
          turn.say("done", { tool: titleOfTool(call.tool, turn.language) }),
      )
    }
    const moved = yield* movedPlace(input, turn.place, turn.calls, context)
    if (moved !== turn.place) {
      turn.place = moved
      yield* turn.announce
      lines.push(stateAt(input, moved)?.reply ?? "")
    }
    return answered(turn, lines.filter((line) => line !== "").join("\n"))
  })

/** Failures of the call itself are reported in words for the user; others end the stage. */
const failureText = (
  failure: ToolFailed,
  { call: { tool }, params }: Pick<CallReading, "call" | "params">,
  turn: Turn,
): Effect.Effect<string, ToolFailed> => {
  switch (failure.class) {
    case "tool_error":
      return Effect.succeed(turn.say("failed", { reason: failure.message.replace(/\.$/, "") }))
    case "invalid_request": {
      const named = invalidParams(failure, params)
      const values = argumentsText(tool, named, turn.language)
      return Effect.succeed(turn.say("invalid", { values }))
    }
    case "cancelled":
      return Effect.succeed(turn.say("declined"))
    case "unavailable":
      return Effect.succeed(turn.say("unavailable"))
    case "timeout":
      return Effect.succeed(turn.say("late", { tool: titleOfTool(tool, turn.language) }))
    default:
      return Effect.fail(failure)
  }
}

/** The arguments that a failure is about; all of them if it names none. */
const invalidParams = ({ detail }: ToolFailed, params: JsonObject): JsonObject => {
  const issues: ReadonlyArray<Json> = Array.isArray(detail) ? detail : []
  const paths = issues.flatMap((issue) => (isObject(issue) ? [String(issue["path"])] : []))
  const named = Object.entries(params).filter(([name]) =>
    paths.some((path) => path.split("/")[1] === name),
  )
  return named.length === 0 ? params : Object.fromEntries(named)
}
