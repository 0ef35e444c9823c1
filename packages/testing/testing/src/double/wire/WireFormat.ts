/** How one service says things on the wire. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { WireAnswer, WireError } from "./WireAnswer.ts"

export interface WireFormat {
  /** The reply in one piece. */
  readonly whole: (answer: WireAnswer, request: WireBody) => JsonObject
  /** The reply as server-sent events, one text each, without the blank line between them. */
  readonly events: (answer: WireAnswer, request: WireBody) => ReadonlyArray<string>
  readonly error: (error: WireError) => {
    readonly headers: Record<string, string>
    readonly body: JsonObject
  }
  readonly headers: Record<string, string>
  /** Content type of a streamed reply; server-sent events unless given. */
  readonly streamType?: string
  /** An event whose data is no JSON, named as the service's client wants events named. */
  readonly malformed: string
}

/** A request's body, and what its path says. */
export interface WireBody {
  readonly model: string
  readonly body: JsonObject
}

/** The number of the turn with `_`, so that ids of calls are unique in a conversation; empty in the first turn. */
export const turnOf = ({ body }: WireBody): string => {
  const messages = (body["messages"] ?? body["input"] ?? []) as ReadonlyArray<JsonObject>
  const turns = messages.filter(
    ({ role, type }) => role === "assistant" || type === "function_call_output",
  ).length
  return turns === 0 ? "" : `${turns}_`
}

export const data = (value: unknown): string => `data: ${JSON.stringify(value)}`
