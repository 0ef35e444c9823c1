/** Hooks around a tool call: they change its params before it, and its result after it. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  toFailureRecord,
  type FailureRecord,
  type Json,
  type JsonObject,
  type Tool,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { CallHooks } from "../hook/CallHooks.ts"
import { callRecord, nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"

/** The params that hooks make of the given ones, recorded, so that a resumed run calls the tool with the same. */
export const hookedParams = (
  request: ToolCallRequest,
  hooks: CallHooks,
  { effect = "write" }: Tool,
): Effect.Effect<JsonObject, ToolFailed> => {
  const { params, site, tool } = request
  const name = below(nameOf(request), "hooks", "before_tool")
  const made = Effect.suspend(() =>
    Effect.map(
      hooks.run("before_tool", { tool, params, effect }, { name, of: tool }),
      ({ params: changed }) => changed,
    ),
  )
  return Effect.mapError(
    site.record(name, made, () => ({ tool, params, hooks: hooks.ids("before_tool") }), true),
    (failure) => toolFailed(tool, failure),
  )
}

const toolFailed = (tool: string, failure: FailureRecord): ToolFailed =>
  new ToolFailed({ ...toFailureRecord(failure), tool })

/** The result that hooks make of the tool's. */
export const hookedResult = (
  request: ToolCallRequest,
  hooks: CallHooks,
  call: Effect.Effect<Json, ToolFailed>,
): Effect.Effect<Json, ToolFailed> =>
  Effect.flatMap(call, (result) => {
    const record = callRecord(request, result)
    const { making } = request
    if (making !== undefined) record.identity = making.identity.recorded
    return Effect.mapBoth(
      hooks.run(
        "after_tool",
        { call: record, result },
        { name: nameOf(request), of: request.tool },
      ),
      {
        onSuccess: ({ result: changed }) => changed,
        onFailure: (failure) => toolFailed(request.tool, failure),
      },
    )
  })
