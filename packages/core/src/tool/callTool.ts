/** The engine's one tool call: known, valid, approved, within budget and time, recorded, told. */
import * as Effect from "effect/Effect"
import { ToolFailed, toFailureRecord, type Json, type JsonObject } from "@planloom/plugin"
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
  /** Milliseconds, from the tool's own metadata; undefined for none. */
  readonly timeout: number | undefined
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
        Effect.andThen(approved(request, registered), invoked(request, registered)),
      ),
    )
  })

const approved = (
  request: ToolCallRequest,
  { tool }: RegisteredTool,
): Effect.Effect<void, ToolFailed> => {
  if (tool.needs_approval !== true) return Effect.void
  const refuse = failed(
    tool.name,
    "cancelled",
    `"${tool.name}" needs a person's approval and has none`,
  )
  if (request.approve === undefined) return refuse
  return Effect.flatMap(
    request.approve({ tool: tool.name, params: request.params, path: request.site.path }),
    (yes) => (yes ? Effect.void : refuse),
  )
}

const invoked = (
  request: ToolCallRequest,
  { source, tool }: RegisteredTool,
): Effect.Effect<Json, ToolFailed> => {
  if (source === undefined) {
    return failed(tool.name, "unavailable", `no declared plugin runs the tool "${tool.name}"`)
  }
  const { site, timeout } = request
  const work = source.call({
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
  })
  const bounded =
    timeout === undefined
      ? work
      : Effect.timeoutOrElse(work, {
          duration: timeout,
          orElse: () =>
            failed(tool.name, "timeout", `"${tool.name}" gave no result in ${timeout} ms`),
        })
  return Effect.catchDefect(bounded, (defect) =>
    failed(
      tool.name,
      "internal",
      `"${tool.name}" broke: ${defect instanceof Error ? defect.message : String(defect)}`,
    ),
  )
}

const observed = (
  { key, site, tool }: ToolCallRequest,
  call: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> => {
  const began = site.clock()
  const told = (failure?: ToolFailed) =>
    Effect.sync(() =>
      site.emit({
        type: "ToolCalled",
        path: site.path,
        stage: site.stage,
        tool,
        key,
        ms: site.clock() - began,
        ...(failure === undefined ? {} : { failure: toFailureRecord(failure) }),
      }),
    )
  return Effect.tapError(
    Effect.tap(call, () => told()),
    told,
  )
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
