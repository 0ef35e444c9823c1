/** Limits the time of the work of a tool's source to the tool's `timeout`; time in which a person is asked does not count. */
import * as Effect from "effect/Effect"
import { StageFailed, ToolFailed, toFailureRecord } from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import type { ToolCallRequest } from "./ToolCallRequest.ts"

export const withinTime = <A>(
  { site }: ToolCallRequest,
  { timeout, tool: { name } }: Pick<RegisteredTool, "timeout" | "tool">,
  work: Effect.Effect<A, ToolFailed>,
): Effect.Effect<A, ToolFailed> =>
  timeout === undefined
    ? work
    : Effect.mapError(
        site.within(work, timeout, () => lateCall(name, timeout)),
        (failure) =>
          failure._tag === "ToolFailed"
            ? failure
            : new ToolFailed({ ...toFailureRecord(failure), tool: name }),
      )

const lateCall = (tool: string, timeout: number): StageFailed =>
  new StageFailed({ class: "timeout", message: `"${tool}" gave no result in ${timeout} ms` })
