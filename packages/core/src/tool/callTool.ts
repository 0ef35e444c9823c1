/** Calls a tool: checks name, arguments, budget and approval, applies the timeout, records and emits the call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  ToolFailed,
  toFailureRecord,
  Suspended,
  type Answer,
  type Json,
  type JsonObject,
  type StageFailed,
  type ToolInvocation,
  type Wait,
} from "@planloom/plugin"
import { listed } from "../pipeline/listed.ts"
import { rejectionOf } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { RegisteredTool, ToolRegistry } from "@planloom/language"
import { beginToolCall } from "../model/BudgetLedger.ts"
import type { CallSite } from "../model/CallSite.ts"
import { EmbeddingObserver } from "../pipeline/Embeddings.ts"

export interface ToolCallRequest {
  readonly site: CallSite
  readonly registry: ToolRegistry
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  /** Unique within the attempt. */
  readonly key: string
  readonly workspace: string
  readonly index: ToolInvocation["index"]
  /** Counts the calls of an embedder. */
  readonly observer: EmbeddingObserver | undefined
  /** Puts a question to a person; without an answer the attempt is suspended. */
  readonly put: (wait: Wait) => Effect.Effect<Answer, StageFailed>
}

/** Runs the tool once. Every refusal and failure is a `ToolFailed`; nothing is retried here. */
export const callTool = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> =>
  Effect.suspend(() => {
    const { registry, site, tool } = request
    const registered = registry.get(tool)
    if (registered === undefined) {
      return failed(tool, "invalid_request", `there is no tool "${tool}"`)
    }
    const rejection = rejectionOf(registered.tool.params)
    if (rejection !== undefined) {
      return failed(tool, "invalid_request", `the params of "${tool}": ${rejection.message}`)
    }
    const issues = validatorOf(registered.tool.params)(request.params)
    if (issues.length > 0) {
      return failed(
        tool,
        "invalid_request",
        `the arguments of "${tool}" do not fit: ${listed(issues, "the object")}`,
        issues.map(({ message, path }) => ({ path, message })),
      )
    }
    const refused = beginToolCall(site.budgets, tool)
    if (refused !== undefined) return Effect.fail(refused)
    const name = `${site.attemptPath}/tool:${request.key}`
    const call = site.record(name, invoked(request, registered), () => ({
      tool,
      params: request.params,
      inputs: request.inputs,
    }))
    return observed(
      request,
      registered.tool.needs_approval === true
        ? Effect.andThen(approved(request, `${name}/approval`), call)
        : call,
    )
  })

/** A yes or a no, and why. */
export const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, comment: { type: "string" } },
  required: ["approved"],
  additionalProperties: false,
} as const

/** Asks for approval, recorded before the call: a replay of an approved call does not ask again. */
const approved = (
  { inputs, params, put, site, tool }: ToolCallRequest,
  name: string,
): Effect.Effect<void, ToolFailed> =>
  Effect.matchEffect(
    put({
      name,
      kind: "approval",
      path: site.path,
      message: `May ${site.path} run ${tool}?`,
      schema: approvalSchema,
      show: { tool, params, ...(Object.keys(inputs).length === 0 ? {} : { inputs }) },
    }),
    {
      onFailure: ({ class: reason, message }) => failed(tool, reason, message),
      onSuccess: ({ by, value }) => {
        const { approved: yes, comment } = value as unknown as Approval
        if (yes) return Effect.void
        const why = comment === undefined || comment === "" ? "" : `: ${comment}`
        return failed(tool, "cancelled", `"${tool}" was not approved (${by})${why}`)
      },
    },
  )

interface Approval {
  readonly approved: boolean
  readonly comment?: string
}

const invoked = (
  request: ToolCallRequest,
  { source, timeout, tool }: RegisteredTool,
): Effect.Effect<Json, ToolFailed> => {
  if (source === undefined) {
    return failed(tool.name, "unavailable", `no declared plugin runs the tool "${tool.name}"`)
  }
  const { site } = request
  const work = Effect.suspend(() =>
    source.call({
      tool: tool.name,
      params: request.params,
      inputs: request.inputs,
      key: `${site.run}/${site.path}/${request.key}`,
      workspace: request.workspace,
      index: request.index,
      progress: (message, fraction) =>
        Effect.sync(() =>
          site.emit({
            type: "Progressed",
            path: site.path,
            stage: site.stage,
            message,
            ...(fraction === undefined ? {} : { fraction }),
          }),
        ),
    }),
  )
  const counted =
    request.observer === undefined
      ? work
      : Effect.provideService(work, EmbeddingObserver, request.observer)
  return timeout === undefined
    ? counted
    : Effect.timeoutOrElse(counted, {
        duration: timeout,
        orElse: () =>
          failed(tool.name, "timeout", `"${tool.name}" gave no result in ${timeout} ms`),
      })
}

/** Emits the outcome of the call; a tool that throws fails without ending the run. */
const observed = (
  { key, site, tool }: ToolCallRequest,
  call: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> => {
  const began = site.clock()
  const { path, stage } = site
  return Effect.matchCauseEffect(call, {
    onSuccess: (result) => {
      site.emit({ type: "ToolCalled", path, stage, tool, key, ms: site.clock() - began })
      return Effect.succeed(result)
    },
    onFailure: (cause) => {
      const failure = failureOf(tool, cause)
      if (failure === undefined) return Effect.failCause(cause)
      site.emit({
        type: "ToolCalled",
        path,
        stage,
        tool,
        key,
        ms: site.clock() - began,
        failure: toFailureRecord(failure),
      })
      return Effect.fail(failure)
    },
  })
}

/** Undefined for interruption, suspension and store failures, which end the attempt. */
const failureOf = (tool: string, cause: Cause.Cause<ToolFailed>): ToolFailed | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason)) return reason.error
    if (Cause.isDieReason(reason)) {
      const { defect } = reason
      if (defect instanceof StoreFailed || defect instanceof Suspended) return undefined
      const why = defect instanceof Error ? defect.message : String(defect)
      return new ToolFailed({ tool, class: "internal", message: `"${tool}" broke: ${why}` })
    }
  }
  return undefined
}

const failed = (
  tool: string,
  reason: ToolFailed["class"],
  message: string,
  detail?: Json,
): Effect.Effect<never, ToolFailed> =>
  Effect.fail(
    new ToolFailed({ tool, class: reason, message, ...(detail === undefined ? {} : { detail }) }),
  )
