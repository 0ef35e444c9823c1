/** Answers a call from an equal one that the run has made, or makes it: equal calls wait for the one that is under way. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { replayed, ToolFailed, type Json } from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import { below } from "@planloom/plugin/segments"
import { CallIdentity } from "./CallIdentity.ts"
import type { MadeCall } from "./MadeCalls.ts"
import { Making } from "../Making.ts"
import { asIs, observed } from "../observeCall.ts"
import type { StageCalls } from "./StageCalls.ts"
import { nameOf, type ToolCallRequest } from "../ToolCallRequest.ts"

type Make = () => Effect.Effect<Json, ToolFailed>

/** `asks`: a person has to approve the call. Calls inside another call are a part of that one, and always made. */
export const madeOnce = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  asks: boolean,
  make: Make,
): Effect.Effect<Json, ToolFailed> => {
  const { site } = request
  const { toolCalls: calls } = site
  if (calls === undefined) return make()
  const { hiding, keepsResults, workflow } = calls.given
  const identity = new CallIdentity(request, registered, workflow, hiding)
  const isKept = keepsResults || registered.tool.reuse === "run"
  const making = new Making(identity, registered, calls)
  request.making = making
  return !isKept && calls.isFirst(identity)
    ? make()
    : unlessAnswered(request as Named, registered, calls, isKept, asks, make)
}

// A function of its own: V8 would make an object of what its closures capture for each call.
const unlessAnswered = (
  named: Named,
  registered: RegisteredTool,
  calls: StageCalls,
  isKept: boolean,
  asks: boolean,
  make: Make,
): Effect.Effect<Json, ToolFailed> => {
  const { run } = calls.given
  const { identity } = named.making
  const { reuse } = registered.tool
  const isFresh = named.reuse === "never" || reuse === "never"
  const waits = !isFresh && (named.reuse === "run" || reuse === "run")
  const attempt: Effect.Effect<Json, ToolFailed> = Effect.suspend(() => {
    const found = calls.answerTo(identity, registered, named.reuse)
    if (found !== undefined) return answeredBy(named, found, make)
    if (!isKept) return make()
    const { key } = identity
    const pending = waits ? run.pending.get(key) : undefined
    if (pending !== undefined && (pending.attempt === calls || !pending.asks)) {
      return Effect.andThen(Deferred.await(pending.done), attempt)
    }
    const done = Deferred.makeUnsafe<void>()
    const own = { done, attempt: calls, asks }
    run.pending.set(key, own)
    return Effect.onExitPrimitive(make(), () => {
      if (run.pending.get(key) === own) run.pending.delete(key)
      Deferred.doneUnsafe(done, Effect.void)
      return undefined
    })
  })
  return run.isResumed ? again(named, make, attempt) : attempt
}

interface Named extends ToolCallRequest {
  making: Making
}

/** The name under which the outcome of a call is recorded that another one has answered. */
const answerOf = ({ key, site }: ToolCallRequest): string => below(site.attemptPath, "made", key)

/** The outcome that an earlier process recorded for this call, answered or made; `otherwise` without a record. */
const again = (
  request: Named,
  make: Make,
  otherwise: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> =>
  Effect.flatMap(request.site.lookup(answerOf(request)), (answer) =>
    answer === undefined
      ? Effect.flatMap(request.site.lookup(nameOf(request)), (own) =>
          own === undefined ? otherwise : make(),
        )
      : answered(request, replayed(answer) as Effect.Effect<Json, ToolFailed>),
  )

/** The outcome of an equal call, or the call if that has no record. */
const answeredBy = (request: Named, found: MadeCall, make: Make): Effect.Effect<Json, ToolFailed> =>
  found.name === undefined || found.failure !== undefined
    ? answered(request, outcomeOf(request, found))
    : Effect.flatMap(request.site.lookup(found.name), (known) =>
        known === undefined
          ? make()
          : answered(request, replayed(known) as Effect.Effect<Json, ToolFailed>),
      )

const answered = (
  request: Named,
  outcome: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> => {
  const { making, site } = request
  making.isMade = true
  making.from = "made"
  return observed(request, site.clock(), site.keep(answerOf(request), outcome), asIs)
}

const outcomeOf = (
  { tool }: ToolCallRequest,
  { failure, result, writes }: MadeCall,
): Effect.Effect<Json, ToolFailed> => {
  if (failure === undefined) return Effect.succeed(result!)
  const why = writes ? "a call that changes something is not repeated" : "the call was made before"
  return Effect.fail(new ToolFailed({ ...failure, tool, message: `${failure.message} (${why})` }))
}
