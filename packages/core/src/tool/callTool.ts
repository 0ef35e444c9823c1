/** The engine's one tool call: known, valid, approved, within budget and time, recorded, told. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  ToolFailed,
  toFailureRecord,
  type Json,
  type JsonObject,
} from "@planloom/plugin"
import { validatorOf } from "../definition/Validator.ts"
import { beginToolCall } from "../model/Budget.ts"
import type { CallSite } from "../model/CallSite.ts"
import type { RegisteredTool, ToolRegistry } from "../pipeline/ToolRegistry.ts"

/** Asks whoever may say yes. Without one, a tool that needs approval is refused. */
export type Approve = (request: {
  readonly tool: string
  readonly params: JsonObject
  readonly path: string
}) => Effect.Effect<boolean>

export interface ToolCallRequest {
  readonly site: CallSite
  readonly registry: ToolRegistry
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  /** Unique within the attempt. */
  readonly key: string
  readonly workspace: string
  readonly approve: Approve | undefined
}

/** Runs the tool once. Every refusal and failure is a `ToolFailed`; nothing is retried here. */
export const callTool = (request: ToolCallRequest): Effect.Effect<Json, ToolFailed> =>
  Effect.suspend(() => {
    const { registry, site, tool } = request
    const registered = registry.get(tool)
    if (registered === undefined) {
      return failed(tool, "invalid_request", `there is no tool "${tool}"`)
    }
    const issues = validatorOf(registered.tool.params)(request.params)
    if (issues.length > 0) {
      return failed(
        tool,
        "invalid_request",
        `the arguments of "${tool}" do not fit: ${issues.map((issue) => `${issue.path === "" ? "they" : issue.path.slice(1)} ${issue.message}`).join("; ")}`,
        issues.map(({ message, path }) => ({ path, message })),
      )
    }
    const refused = beginToolCall(site.accounts, tool)
    if (refused !== undefined) return Effect.fail(refused)
    return observed(
      request,
      site.record(
        `${site.attemptPath}/tool:${request.key}`,
        registered.tool.needs_approval === true
          ? Effect.andThen(approved(request), invoked(request, registered))
          : invoked(request, registered),
      ),
    )
  })

const approved = ({
  approve,
  params,
  site,
  tool,
}: ToolCallRequest): Effect.Effect<void, ToolFailed> => {
  const refuse = failed(tool, "cancelled", `"${tool}" needs a person's approval and has none`)
  if (approve === undefined) return refuse
  return Effect.flatMap(approve({ tool, params, path: site.path }), (yes) =>
    yes ? Effect.void : refuse,
  )
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
  return timeout === undefined
    ? work
    : Effect.timeoutOrElse(work, {
        duration: timeout,
        orElse: () =>
          failed(tool.name, "timeout", `"${tool.name}" gave no result in ${timeout} ms`),
      })
}

/** Tells how the call went; a tool that throws has failed, it has not broken the run. */
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

/** Undefined for interruption, and for what cannot be recorded: that is the end of the run. */
const failureOf = (tool: string, cause: Cause.Cause<ToolFailed>): ToolFailed | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason)) return reason.error
    if (Cause.isDieReason(reason)) {
      const { defect } = reason
      if (defect instanceof StoreFailed) return undefined
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
