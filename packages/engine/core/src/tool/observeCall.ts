/** Records and emits the outcome of a tool call, also of one that was refused before it reached its tool. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  StoreFailed,
  Suspended,
  ToolFailed,
  toFailureRecord,
  type CallRecord,
  type FailureRecord,
  type Json,
} from "@planloom/plugin/effect"
import type { Built } from "../model/CallSite.ts"
import { oneLine, boundedParams } from "./summaryOf.ts"
import { identify } from "./identity/identified.ts"
import type { ExpressionFault } from "./ToolExpressions.ts"
import { callRecord, nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"

/** Of a call that gives the result itself. */
export const asIs = (result: Json): Json => result

/** Emits the outcome of the call, which has `began`; `valueOf` gives its result. A tool that throws fails without ending the run. */
export const observed = <A>(
  request: ToolCallRequest,
  began: number,
  call: Effect.Effect<A, ToolFailed>,
  valueOf: (given: A) => Json | ToolFailed,
): Effect.Effect<Json, ToolFailed> =>
  Effect.matchCauseEffect(watched(request, call), {
    onSuccess: (given) => {
      const result = valueOf(given)
      return result instanceof ToolFailed
        ? failedWith(request, began, Cause.fail(result))
        : succeededWith(request, began, result)
    },
    onFailure: (cause) => failedWith(request, began, cause),
  })

/** A write that is broken off may have changed something, which no handler of its outcome would know. */
const watched = <A>(
  { making, site }: ToolCallRequest,
  call: Effect.Effect<A, ToolFailed>,
): Effect.Effect<A, ToolFailed> =>
  making?.writes === true
    ? Effect.onExitPrimitive(call, (exit) => {
        if (Exit.hasInterrupts(exit))
          making.end(exit as Exit.Failure<never, ToolFailed>, site.replays)
        return undefined
      })
    : call

const succeededWith = (
  request: ToolCallRequest,
  began: number,
  result: Json,
): Effect.Effect<Json, ToolFailed> => {
  const { making, number, site } = request
  making?.end(Exit.succeed(result), site.replays)
  const record = callRecord(request, result, emitFault)
  site.called(record, number, making?.identity)
  const { entities, from, notes, summary } = record
  // The call that answers this one has shown its notes.
  if (notes === undefined || from !== undefined) {
    emitCalled(request, { summary, entities, began })
    return Effect.succeed(result)
  }
  // They stand beside the outputs of the run. A gate that fails shows nothing.
  const shown = Effect.match(site.shown([...notes]), {
    onFailure: () => undefined,
    onSuccess: ({ value }) => value,
  })
  return Effect.map(shown, (value) => {
    emitCalled(request, { summary, entities, notes: value, began })
    return result
  })
}

const failedWith = (
  request: ToolCallRequest,
  began: number,
  cause: Cause.Cause<ToolFailed>,
): Effect.Effect<never, ToolFailed> => {
  const { making, number, site, tool } = request
  making?.end(Exit.failCause(cause), site.replays)
  const failure = failureOf(tool, cause)
  if (failure === undefined) return Effect.failCause(cause)
  const identity = making?.isMade === true ? making.identity : undefined
  site.called(failedCall(request, failure), number, identity)
  const summary = oneLine(failure.message)
  const record = { ...toFailureRecord(failure), ...stackIn(cause) }
  emitCalled(request, { summary, began, failure: record })
  return Effect.fail(failure)
}

/** Records and emits a call that does not reach the tool, and fails with the reason. */
export const refused = (
  request: ToolCallRequest,
  failure: ToolFailed,
): Effect.Effect<never, ToolFailed> =>
  Effect.suspend(() => {
    // A model may have made the name up.
    const named = { ...request, tool: oneLine(request.tool) }
    request.site.called({ ...failedCall(named, failure), refused: true }, request.number, undefined)
    const summary = oneLine(failure.message)
    emitCalled(named, { summary, failure: toFailureRecord(failure), isRefused: true })
    return Effect.fail(failure)
  })

const failedCall = (
  { key, making, params, repairs, site: { path }, tool }: ToolCallRequest,
  { class: reason, message }: ToolFailed,
): CallRecord => ({
  tool,
  params,
  key,
  path,
  ok: false,
  summary: message,
  error: message,
  class: reason,
  ...(making?.from === undefined ? {} : { from: making.from }),
  ...(repairs.length === 0 ? {} : { repairs }),
})

interface Called {
  readonly summary: string
  readonly entities?: CallRecord["entities"]
  readonly notes?: ReadonlyArray<string> | undefined
  /** Undefined for a call that was not made. */
  readonly began?: number
  readonly failure?: FailureRecord
  readonly isRefused?: boolean
}

const emitCalled = (
  request: ToolCallRequest,
  { began, entities, failure, isRefused = false, notes, summary }: Called,
): void => {
  const { key, making, params, repairs, site, tool } = request
  const { path, stage } = site
  const at = site.clock()
  const event: Built<"ToolCalled"> = {
    type: "ToolCalled",
    seq: 0,
    at: 0,
    path,
    stage,
    tool,
    key,
    params: boundedParams(params),
    ms: began === undefined ? 0 : at - began,
    summary,
  }
  if (making?.isMade === true) {
    identify(event, making.identity)
    if (making.from !== undefined) event.from = making.from
    else if (making.needsName) event.call = nameOf(request)
  }
  if (repairs.length > 0) event.repairs = repairs
  if (entities !== undefined) event.entities = entities
  if (notes !== undefined) event.notes = notes
  if (failure !== undefined) event.failure = failure
  if (isRefused) event.refused = true
  site.emit(event, at)
}

/** An expression of a tool that fails leaves the call as it would be without it. */
export const emitFault = ({ key, site, tool }: ToolCallRequest, fault: ExpressionFault): void =>
  site.emit({
    type: "Noted",
    path: site.path,
    stage: site.stage,
    note: "tool_expression_failed",
    data: { tool, key, expression: fault.key, message: fault.message },
    audience: "operator",
    text: `the expression ${fault.key} of the tool "${tool}" failed: ${fault.message}`,
  })

/** Undefined for interruption, suspension and store failures, which end the attempt. */
const failureOf = (tool: string, cause: Cause.Cause<ToolFailed>): ToolFailed | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason)) {
      return new ToolFailed({ ...toFailureRecord(reason.error), tool })
    }
    if (Cause.isDieReason(reason)) {
      const { defect } = reason
      if (defect instanceof StoreFailed || defect instanceof Suspended) return undefined
      const why = defect instanceof Error ? defect.message : String(defect)
      return new ToolFailed({ tool, class: "internal", message: `"${tool}" broke: ${why}` })
    }
  }
  return undefined
}

/** For the event alone: a model that reads the failure has no use for the stack. */
const stackIn = ({ reasons }: Cause.Cause<ToolFailed>): { readonly detail?: Json } => {
  const [reason] = reasons
  return reason !== undefined && Cause.isDieReason(reason) && reason.defect instanceof Error
    ? { detail: { stack: reason.defect.stack ?? "" } }
    : {}
}
