/** Calls a tool: checks name, arguments, budget and approval, applies the timeout, records and emits the call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  ToolFailed,
  toFailureRecord,
  Suspended,
  type CallRecord,
  type Json,
  type ModelClient,
  type FailureRecord,
  type ToolResult,
} from "@planloom/plugin/effect"
import { formatIssues, rejectionOf } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { RegisteredTool } from "@planloom/language"
import { toolCallWithin } from "../model/limit/hostBudget.ts"
import type { Built } from "../model/CallSite.ts"
import { beginToolCall } from "../model/limit/Ledger.ts"
import { Invocation } from "./Invocation.ts"
import { approveToolCall, titleIn } from "./approveToolCall.ts"
import { abandonable } from "./abandonable.ts"
import { EmbeddingObserver } from "../pipeline/EmbeddingObserver.ts"
import { hookedParams, hookedResult } from "./hookToolCall.ts"
import { unavailability } from "../pipeline/unavailability.ts"
import { boundedParams, oneLine } from "./summaryOf.ts"
import { refusalOf } from "./requirements.ts"
import { failed, fitting, valueOf } from "./toolResult.ts"
import { withinTime } from "./withinTime.ts"
import { writes } from "./writes.ts"
import { withModelCalls } from "./withModelCalls.ts"
import { normalizeParams, type ExpressionFault } from "./ToolExpressions.ts"
import { callRecord, nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"

/** Runs the tool once. Every refusal and failure is a `ToolFailed`; nothing is retried here. */
export const callTool = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> =>
  Effect.suspend(() => {
    const { registry, site, tool } = request
    const registered = registry.get(tool)
    if (registered === undefined) return vanished(request)
    const { faults, params: given } = normalizeParams(registered.tool, request.params)
    for (const fault of faults) emitFault(request, fault)
    const normal = given === request.params ? request : { ...request, params: given }
    const { hooks } = site
    return hooks?.has("before_tool") === true
      ? Effect.flatMap(hookedParams(normal, hooks, registered.tool), (params) =>
          validated({ ...normal, params }, registered),
        )
      : validated(normal, registered)
  })

/** A call of a tool that the workflow does not have: a resumed run still has the record of an earlier one. */
const vanished = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> => {
  const { site, tool } = request
  const name = nameOf(request)
  const unknown = failed(tool, "invalid_request", `there is no tool "${tool}"`)
  return Effect.flatMap(site.lookup(name), (known) =>
    known === undefined ? unknown : observed(request, site.record(name, unknown)),
  )
}

const unsettled = (request: ToolCallRequest): string => {
  const { open = [], site } = request
  const tool = titleIn(request)
  return open.length === 0
    ? site.text("unasked", { values: { tool } })
    : site.text("unsettled", { values: { tool, words: open.join(", ") } })
}

/** Checks arguments and budget, asks for approval, and makes the call. */
const validated = (
  request: ToolCallRequest,
  registered: RegisteredTool,
): Effect.Effect<Json, ToolFailed> => {
  const { site, tool } = request
  const rejection = rejectionOf(registered.tool.params)
  if (rejection !== undefined) {
    return failed(tool, "invalid_request", `the params of "${tool}": ${rejection.message}`)
  }
  const issues = validatorOf(registered.tool.params)(request.params)
  if (issues.length > 0) {
    return failed(
      tool,
      "invalid_request",
      `the arguments of "${tool}" do not fit: ${formatIssues(issues, "the object")}`,
      issues.map(({ message, path }) => ({ path, message })),
    )
  }
  const asks = registered.tool.needs_approval === true || request.approve === true
  if (request.settled === false && !asks && writes(registered.tool)) {
    return failed(tool, "clarification", unsettled(request))
  }
  const refused = beginToolCall(site.budgets, tool)
  if (refused !== undefined) return Effect.fail(refused)
  const made = observed(
    request,
    asks
      ? approveToolCall(request, registered, (check) => recorded(request, registered, check))
      : recorded(request, registered, undefined),
  )
  return site.shared === undefined
    ? made
    : Effect.andThen(toolCallWithin(site.shared, site, nameOf(request), tool), made)
}

const recorded = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  check: Effect.Effect<void, ToolFailed> | undefined,
): Effect.Effect<Json, ToolFailed> => {
  const { inputs, params, site, tool } = request
  const { hooks } = site
  const isHooked = hooks?.has("after_tool") === true
  const name = nameOf(request)
  const about = { tool, params, inputs }
  return withModelCalls(
    site,
    name,
    (model) => {
      const call = invoked(request, registered, model)
      return check === undefined ? call : Effect.andThen(check, call)
    },
    (live) => {
      const call = site.between(name, live, () => ({ about }))
      return site.record(
        name,
        fitting(registered, isHooked ? hookedResult(request, hooks, call) : call),
        () => (isHooked ? { ...about, hooks: hooks.ids("after_tool") } : about),
        true,
      )
    },
  )
}

/** Of a tool that does not declare what it asks. */
const noModel = (): undefined => undefined

const invoked = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  model: () => ModelClient | undefined,
): Effect.Effect<Json, ToolFailed> => {
  const { isFromCatalog, source, tool } = registered
  if (source === undefined) {
    return failed(tool.name, "unavailable", `no declared plugin runs the tool "${tool.name}"`)
  }
  const why = unavailability(tool)
  if (why !== undefined) {
    return failed(tool.name, "unavailable", `"${tool.name}" is unavailable: ${why}`)
  }
  const { observer, site } = request
  const read = (result: ToolResult) => valueOf(source.id, tool.name, result)
  const made = Effect.suspend(() => {
    // As late as possible: calls beside this one may have changed it.
    const refusal = refusalOf(request, tool)
    if (refusal !== undefined) return Effect.fail(refusal)
    const call = source.call(
      new Invocation(
        request,
        tool.asks === undefined ? noModel : model,
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
    const work =
      observer === undefined ? call : Effect.provideService(call, EmbeddingObserver, observer)
    return Effect.flatMapEager(source.endsAtOnce === true ? work : abandonable(work), read)
  })
  return withinTime(request, registered, site.placed(`${source.id}/${tool.name}`, made))
}

/** Emits the outcome of the call; a tool that throws fails without ending the run. */
const observed = (
  request: ToolCallRequest,
  call: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> => {
  const { key, params, site, tool } = request
  const began = site.clock()
  const { path, stage } = site
  const emitCalled = (
    {
      entities,
      notes,
      summary,
    }: Pick<CallRecord, "entities" | "summary"> & {
      readonly notes?: ReadonlyArray<string> | undefined
    },
    failure: FailureRecord | undefined,
  ) => {
    const event: Built<"ToolCalled"> = {
      type: "ToolCalled",
      path,
      stage,
      tool,
      key,
      params: boundedParams(params),
      ms: site.clock() - began,
      summary,
    }
    if (entities !== undefined) event.entities = entities
    if (notes !== undefined) event.notes = notes
    if (failure !== undefined) event.failure = failure
    site.emit(event)
  }
  return Effect.matchCauseEffect(call, {
    onSuccess: (result) => {
      const { faults, record } = callRecord(request, result)
      for (const fault of faults) emitFault(request, fault)
      site.called(record)
      const { notes } = record
      if (notes === undefined) {
        emitCalled(record, undefined)
        return Effect.succeed(result)
      }
      // They stand beside the outputs of the run. A gate that fails shows nothing.
      const shown = Effect.match(site.shown([...notes]), {
        onFailure: () => undefined,
        onSuccess: ({ value }) => value,
      })
      return Effect.map(shown, (value) => {
        emitCalled({ ...record, notes: value }, undefined)
        return result
      })
    },
    onFailure: (cause) => {
      const failure = failureOf(tool, cause)
      if (failure === undefined) return Effect.failCause(cause)
      const { message } = failure
      site.called({ tool, params, key, path, ok: false, summary: message, error: message })
      emitCalled({ summary: oneLine(message) }, { ...toFailureRecord(failure), ...stackIn(cause) })
      return Effect.fail(failure)
    },
  })
}

/** An expression of a tool that fails leaves the call as it would be without it. */
const emitFault = ({ key, site, tool }: ToolCallRequest, fault: ExpressionFault): void =>
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
