/** Calls a tool: checks name, arguments, budget and approval, applies the timeout and records the call. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type BudgetLedger,
  type Json,
  type ModelClient,
  type ToolResult,
} from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import { toolCallWithin } from "../model/limit/hostBudget.ts"
import { beginToolCall } from "../model/limit/Ledger.ts"
import { Invocation } from "./Invocation.ts"
import { approveToolCall, titleIn } from "./approveToolCall.ts"
import { abandonable } from "./abandonable.ts"
import { EmbeddingObserver } from "../pipeline/EmbeddingObserver.ts"
import { hookedParams, hookedResult } from "./hookToolCall.ts"
import { startNow } from "../pipeline/startNow.ts"
import { unavailability } from "../pipeline/unavailability.ts"
import { refusalOf } from "./requirements.ts"
import { asIs, emitFault, observed, refused } from "./observeCall.ts"
import { failed, resultMismatch, resultOf, toolFailure, unusable } from "./toolResult.ts"
import { madeOnce } from "./identity/reuseCall.ts"
import { withinTime } from "./withinTime.ts"
import { writes } from "./writes.ts"
import { withModelCalls } from "./withModelCalls.ts"
import { callParams, mismatch, unknownTool } from "./callParams.ts"
import { nameOf, type ToolCallRequest, type ToolModel } from "./ToolCallRequest.ts"

/**
 * Runs the tool once. Every refusal and failure is a `ToolFailed`; nothing is retried here. Begins when this is called, not
 * when the effect runs: suspend it, with a request of its own for each time.
 */
export const callTool = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> => {
  const { refusal, registry, site, tool } = request
  if (refusal !== undefined) return refused(request, new ToolFailed({ ...refusal, tool }))
  const registered = registry.get(tool)
  if (registered === undefined) return vanished(request)
  const { faults, params, repairs } = callParams(
    registered.tool,
    request.params,
    site,
    request.repair,
  )
  for (const fault of faults) emitFault(request, fault)
  request.params = params
  request.repairs = repairs
  const { hooks } = site
  return hooks?.has("before_tool") === true
    ? Effect.matchEffect(hookedParams(request, hooks, registered.tool), {
        onFailure: (failure) => refused(request, failure),
        onSuccess: (hooked) => {
          request.params = hooked
          return validated(request, registered)
        },
      })
    : validated(request, registered)
}

/** A call of a tool that the workflow does not have: a resumed run still has the record of an earlier one. */
const vanished = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> => {
  const { site, tool } = request
  const name = nameOf(request)
  const unknown = toolFailure(tool, "invalid_request", unknownTool(tool))
  return Effect.flatMap(site.lookup(name), (known) =>
    known === undefined
      ? refused(request, unknown)
      : observed(request, site.clock(), site.record(name, Effect.fail(unknown)), asIs),
  )
}

const unsettled = (request: ToolCallRequest): string => {
  const { open = [], site } = request
  const tool = titleIn(request)
  return open.length === 0
    ? site.text("unasked", { values: { tool } })
    : site.text("unsettled", { values: { tool, words: open.join(", ") } })
}

/** The reason against the call; undefined if it may be made. */
const reasonAgainst = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  asks: boolean,
): ToolFailed | undefined => {
  const { params, settled, tool } = request
  const unfit = mismatch(registered.tool, params)
  if (unfit !== undefined) return unfit
  return settled === false && !asks && writes(registered.tool)
    ? toolFailure(tool, "clarification", unsettled(request))
    : undefined
}

/** Checks arguments, and makes the call unless an equal one answers it. */
const validated = (
  request: ToolCallRequest,
  registered: RegisteredTool,
): Effect.Effect<Json, ToolFailed> => {
  const asks = registered.tool.needs_approval === true || request.approve === true
  const reason = reasonAgainst(request, registered, asks)
  return reason === undefined
    ? madeOnce(request, registered, asks, () => made(request, registered, asks))
    : refused(request, reason)
}

/** Counts the call in the budgets, asks for approval, and makes it. */
const made = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  asks: boolean,
): Effect.Effect<Json, ToolFailed> => {
  const { site, tool } = request
  const reason = beginToolCall(site.budgets, tool)
  if (reason !== undefined) return refused(request, reason)
  return site.shared === undefined
    ? outcomeOf(request, registered, asks)
    : sharing(site.shared, request, registered, asks)
}

// Functions of their own: V8 would make an object of what their closures capture for each call.

const sharing = (
  shared: BudgetLedger,
  request: ToolCallRequest,
  registered: RegisteredTool,
  asks: boolean,
): Effect.Effect<Json, ToolFailed> =>
  Effect.matchEffect(toolCallWithin(shared, request.site, nameOf(request), request.tool), {
    onFailure: (failure) => refused(request, failure),
    onSuccess: () => outcomeOf(request, registered, asks),
  })

const outcomeOf = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  asks: boolean,
): Effect.Effect<Json, ToolFailed> => {
  const { site } = request
  return !asks && site.isPlain && site.hooks?.has("after_tool") !== true
    ? plain(request, registered)
    : observed(
        request,
        site.clock(),
        asks ? approved(request, registered) : onRecord(request, registered, undefined),
        asIs,
      )
}

const approved = (
  request: ToolCallRequest,
  registered: RegisteredTool,
): Effect.Effect<Json, ToolFailed> =>
  approveToolCall(request, registered, (check) => onRecord(request, registered, check))

/** The call without a record, whose result needs no step of its own. */
const plain = (
  request: ToolCallRequest,
  registered: RegisteredTool,
): Effect.Effect<Json, ToolFailed> => {
  const { making, site } = request
  if (making !== undefined) making.isStarted = true
  return observed(
    request,
    site.clock(),
    startNow(() => invoked(request, registered, undefined)),
    (result) => {
      const value = read(registered, result)
      return value instanceof ToolFailed ? value : (resultMismatch(registered.tool, value) ?? value)
    },
  )
}

const read = ({ source, tool }: RegisteredTool, result: ToolResult): Json | ToolFailed =>
  resultOf(source?.id ?? "", tool.name, result)

/** `check` runs before the call is made. */
const onRecord = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  check: Effect.Effect<void, ToolFailed> | undefined,
): Effect.Effect<Json, ToolFailed> => {
  const { inputs, making, params, site, tool } = request
  const hooks = site.hooks?.has("after_tool") === true ? site.hooks : undefined
  const name = nameOf(request)
  const about = { tool, params, inputs }
  if (making !== undefined) making.isStarted = true
  return withModelCalls(
    { making, name, site },
    (model) => {
      const call = settled(
        Effect.suspend(() => invoked(request, registered, model)),
        (result) => read(registered, result),
      )
      return check === undefined ? call : Effect.andThen(check, call)
    },
    (live) => {
      const call = site.between(name, live, () => ({ about }))
      return site.record(
        name,
        settled(
          hooks === undefined ? call : hookedResult(request, hooks, call),
          (result) => resultMismatch(registered.tool, result) ?? result,
        ),
        () => (hooks === undefined ? about : { ...about, hooks: hooks.ids("after_tool") }),
        true,
      )
    },
  )
}

/** The call with what `valueOf` makes of its result. */
const settled = <A>(
  call: Effect.Effect<A, ToolFailed>,
  valueOf: (result: A) => Json | ToolFailed,
): Effect.Effect<Json, ToolFailed> =>
  Effect.flatMap(call, (result) => {
    const value = valueOf(result)
    return value instanceof ToolFailed ? Effect.fail(value) : Effect.succeed(value)
  })

type ModelOf = () => ModelClient | undefined

/** Of a tool that does not declare what it asks. */
const noModel = (): undefined => undefined

const modelOf = (request: ToolCallRequest): ModelOf => {
  let model: ToolModel | undefined
  return () => (model ??= request.site.modelAt(nameOf(request)))?.client
}

/** Begins when this is called, not when the effect runs. */
const invoked = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  model: ModelOf | undefined,
): Effect.Effect<ToolResult, ToolFailed> => {
  const { isFromCatalog, source, tool } = registered
  if (source === undefined) {
    return failed(tool.name, "unavailable", `no declared plugin runs the tool "${tool.name}"`)
  }
  const why = unavailability(tool)
  if (why !== undefined) {
    return failed(tool.name, "unavailable", `"${tool.name}" is unavailable: ${why}`)
  }
  // As late as possible: calls beside this one may have changed it.
  const refusal = unusable(tool) ?? refusalOf(request, tool)
  if (refusal !== undefined) return Effect.fail(refusal)
  const { making, observer, site } = request
  making?.reach()
  const work = site.placed(source.id, tool.name, () => {
    const call = source.call(
      new Invocation(
        request,
        tool.asks === undefined ? noModel : (model ?? modelOf(request)),
        isFromCatalog === true ? tool : undefined,
      ),
    )
    if (!Effect.isEffect(call)) {
      return failed(
        tool.name,
        "internal",
        `the tool source "${source.id}" returned no Effect for "${tool.name}"; declare one with async functions by toolSource of @planloom/plugin`,
      )
    }
    const observing =
      observer === undefined ? call : Effect.provideService(call, EmbeddingObserver, observer)
    return source.endsAtOnce === true ? observing : abandonable(observing)
  })
  return withinTime(request, registered, work)
}
