/** The model of a stage for one call of a tool: what it does is part of that call. */
import * as Effect from "effect/Effect"
import { StageFailed, type Json, type RunEvent, type Untimed } from "@planloom/plugin/effect"
import type { ToolModel } from "../../../tool/ToolCallRequest.ts"
import { eventsOf } from "../../../tool/withModelCalls.ts"
import { hidden, type AttemptModel } from "./AttemptModel.ts"

/** `name` is that of the tool's call in the record. Undefined for a stage without a model. */
export const toolModel = (attempt: AttemptModel, name: string): ToolModel | undefined => {
  if (attempt.work.model === undefined) return undefined
  const { journal } = attempt.frame.state
  const events: Array<Untimed<RunEvent>> = []
  const { model } = attempt.apart(name, {
    // Past a cassette, which holds the call of the tool.
    record: { value: journal.step },
    between: { value: (_: string, call: unknown) => call },
    replays: { value: false },
    sent: { value: undefined },
    emit: {
      value: (event: Untimed<RunEvent>, at?: number) => {
        events.push({ ...event })
        attempt.emit(event, at)
      },
    },
    toolCalls: { value: undefined },
    // A suspended call would be made twice.
    put: { value: () => Effect.fail(new StageFailed({ class: "cancelled", message: noApproval })) },
  })
  return {
    client: hidden(model),
    keep: () =>
      events.length === 0
        ? undefined
        : Effect.orDie(journal.step(eventsOf(name), Effect.succeed(events as unknown as Json))),
  }
}

const noApproval = "a tool that calls another one cannot wait for its approval"
