/** Calls of one connection that are under way: they answer what the server asks, and report what it says. */
import type { LoggingLevel } from "@modelcontextprotocol/client"
import type { JsonObject } from "@planloom/plugin/effect"
import { McpFailed } from "../McpFailed.ts"
import type { Answerer, ServerRequest } from "../requests/Answerer.ts"
import type { Noise } from "./StdioTransport.ts"

/** Something that a server says outside of an answer. */
export type Said =
  | Noise
  | { readonly kind: "log"; readonly level: LoggingLevel; readonly text: string }

export interface ActiveCall {
  /** The same for all calls of a run. */
  readonly run: string
  readonly answerer: Answerer
  readonly said: (said: Said) => void
}

const MAX_UNHEARD = 20

export class ActiveCalls {
  private readonly calls = new Set<ActiveCall>()
  /** Output received while no call was under way, such as at the start: for the next one. */
  private unheard: Array<Said> = []

  async during<A>(call: ActiveCall, work: () => Promise<A>): Promise<A> {
    this.calls.add(call)
    for (const said of this.unheard.splice(0)) call.said(said)
    try {
      return await work()
    } finally {
      this.calls.delete(call)
    }
  }

  say(said: Said): void {
    if (this.calls.size === 0 && this.unheard.length < MAX_UNHEARD) this.unheard.push(said)
    for (const call of this.calls) call.said(said)
  }

  /** In the older revision a request does not say which call it belongs to: it is answered if only one run can be meant. */
  answer(request: ServerRequest, signal: AbortSignal): Promise<JsonObject> {
    const runs = new Set([...this.calls].map(({ run }) => run))
    const [call] = this.calls
    if (call !== undefined && runs.size === 1) return call.answerer(request, signal)
    return request.method === "elicitation/create"
      ? Promise.resolve({ action: "decline" })
      : Promise.reject(
          new McpFailed(
            "invalid_request",
            "no call of one run alone is under way that could answer",
          ),
        )
  }
}
