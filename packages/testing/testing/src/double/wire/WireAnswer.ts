/** Answers of a wire server, described independently of the wire format. */
import type { FailureClass, Json, JsonObject, Usage } from "@planloom/plugin/effect"
import type { ScriptedReply } from "../../file/WorkflowTest.ts"

/**
 * How an answer goes wrong:
 * - `slow`: not even the status comes before `release`
 * - `stall`: it begins, and nothing more comes before `release`
 * - `cut`: it begins, and the connection is destroyed
 * - `malformed`: what should be JSON is not
 * - `truncated`: it ends in the middle, as if that were the end
 * - `refusal`: the model refuses, in the format's own way
 * - `blocked`: the service refuses the prompt, in the format's own way
 * - `unknown_fields`: fields, parts and events that no client knows lie between the known ones
 */
export type WireFault =
  | "slow"
  | "stall"
  | "cut"
  | "malformed"
  | "truncated"
  | "refusal"
  | "blocked"
  | "unknown_fields"

/** An answer as it goes onto the wire, whatever the format would have made of it. */
export interface RawAnswer {
  /** Of HTTP; 200 unless said. */
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  /** A text is sent unchanged, with the content type that the headers say; else JSON, or events of a stream. */
  readonly body: string | JsonObject
  /** Data of server-sent events in place of the body, where the request wants a stream; `[DONE]` is yours to send. */
  readonly events?: ReadonlyArray<string | JsonObject>
}

/** A reply as in workflow tests, and how the wire is to misbehave. `delay` waits for `release`, too. */
export interface WireAnswer extends ScriptedReply {
  readonly fault?: WireFault
  /** What is sent in place of everything else here. */
  readonly raw?: RawAnswer
  /** An error of this HTTP status, with the body the service has for it. */
  readonly status?: number
  /** What that error says. */
  readonly message?: string
  /** Milliseconds the service asks to wait, in the service's own form. */
  readonly retryAfter?: number
  /** The reason why the reply ended, in the service's own word; by its content unless given. */
  readonly reason?: string
  /** Calls with arguments as a model writes them, whether or not they are JSON. */
  readonly written?: ReadonlyArray<{ readonly name: string; readonly text: string }>
  /** Google's token for the request that continues a reply; OpenRouter's error beside the reason of a reply. */
  readonly beside?: JsonObject
  /** Tokens of `usage.input` that came from the service's cache. */
  readonly cached?: number
  /** The service's own mark on each tool call, for those that have one. */
  readonly signature?: string
}

/** The status each service answers a failure of this class with; services do not report the others. */
const statuses: { readonly [C in FailureClass]?: number } = {
  rate_limit: 429,
  overloaded: 529,
  timeout: 504,
  unavailable: 500,
  auth: 401,
  invalid_request: 400,
  context_length: 400,
}

export interface WireError {
  readonly status: number
  readonly message: string
  readonly retryAfter: number | undefined
  readonly contextLength: boolean
}

/** The error an answer is; undefined when it is a reply. */
export const errorOf = (answer: WireAnswer): WireError | undefined => {
  const { fail } = answer
  const status = answer.status ?? (fail === undefined ? undefined : statuses[fail.class])
  if (status === undefined) return undefined
  return {
    status,
    message: answer.message ?? fail?.message ?? `status ${status} as scripted`,
    retryAfter: answer.retryAfter ?? fail?.retry_after,
    contextLength: fail?.class === "context_length",
  }
}

/** Whether the model or the service refuses, scripted as a fault or as a failure. */
export const refuses = ({ fail, fault }: WireAnswer): boolean =>
  fault === "refusal" || (fault === undefined && fail?.class === "content_filter")

/** The text in the pieces it is sent in. */
export const textsOf = ({ chunks, json, text }: WireAnswer): ReadonlyArray<string> => {
  if (chunks !== undefined) return chunks
  const whole = json === undefined ? (text ?? "") : JSON.stringify(json)
  const half = Math.ceil(whole.length / 2)
  return whole === "" ? [] : [whole.slice(0, half), whole.slice(half)].filter((part) => part !== "")
}

export const usageOf = ({ usage }: WireAnswer): Usage => usage ?? { input: 7, output: 3 }

export interface WireCall {
  readonly name: string
  readonly text: string
  /** For services that send no text; undefined for none. */
  readonly value: Json | undefined
}

export const callsOf = ({ tool_calls = [], written = [] }: WireAnswer): ReadonlyArray<WireCall> => [
  ...tool_calls.map(({ arguments: value, name }) => ({ name, text: JSON.stringify(value), value })),
  ...written.map(({ name, text }) => ({
    name,
    text,
    value: text === "" ? undefined : jsonOr(text),
  })),
]

const jsonOr = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** A text in three pieces, so that no piece of JSON is whole. */
export const thirds = (text: string): ReadonlyArray<string> => {
  const third = Math.ceil(text.length / 3)
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)]
}

/** The headers that say when to come back. */
export const retryHeaders = (retryAfter: number | undefined): Record<string, string> => {
  if (retryAfter === undefined) return {}
  return retryAfter % 1000 === 0
    ? { "retry-after": String(retryAfter / 1000) }
    : { "retry-after-ms": String(retryAfter) }
}
