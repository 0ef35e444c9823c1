/** Tool calls in the output of a stage: without results, which may be long. */
import { failureClasses } from "@planloom/plugin/effect"
import type { CallRecord, Json, JsonSchema } from "@planloom/plugin/effect"
import { text } from "@planloom/stage-kit"

export const madeCall = {
  type: "object",
  required: ["tool", "params", "ok", "summary"],
  properties: {
    tool: text,
    params: { type: "object" },
    ok: { type: "boolean" },
    summary: text,
    error: text,
    class: { enum: Object.keys(failureClasses) },
  },
} as const satisfies JsonSchema

export const madeCalls = (calls: ReadonlyArray<CallRecord>): ReadonlyArray<Json> =>
  calls.map(({ class: reason, error, ok, params, summary, tool }) => ({
    tool,
    params,
    ok,
    summary,
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { class: reason }),
  }))
