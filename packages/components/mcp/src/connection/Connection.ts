/** One connection to a server, with the requests that it takes. */
import type {
  Client,
  DiscoverResult,
  StandardSchemaV1,
  Transport,
} from "@modelcontextprotocol/client"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { ServerLogin } from "../login/ServerLogin.ts"
import { McpFailed } from "../McpFailed.ts"
import { inputRounds } from "../requests/inputRounds.ts"
import type { ActiveCall, ActiveCalls } from "./ActiveCall.ts"
import { failureOf } from "./failureOf.ts"
import type { Hide } from "./hideSecrets.ts"
import { rawOf } from "./rawResults.ts"
import { LOG_LEVEL } from "./logLevel.ts"
import type { Sdk } from "./sdk.ts"
import { StdioTransport } from "./StdioTransport.ts"

/** The revision of the protocol that a server speaks: remembered, because asking for it costs a round trip. */
export type Era =
  | { readonly kind: "legacy" }
  | { readonly kind: "modern"; readonly discover: DiscoverResult }

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface CallOptions extends ActiveCall {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
  /** Throws if the call may no longer be made. */
  readonly mayRepeat: () => void
}

export type RawResult = { readonly [key: string]: Json }

/** Requests end by their signals. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** Takes every result: what is of use in it is read by us. */
const anyResult: StandardSchemaV1<unknown, object> = {
  "~standard": {
    version: 1,
    vendor: "planloom",
    validate: (value) => ({ value: value as object }),
  },
}

export interface ConnectionParts {
  readonly sdk: Sdk
  readonly client: Client
  readonly transport: Transport
  readonly calls: ActiveCalls
  readonly hide: Hide
  /** Names the server in a sentence. */
  readonly about: string
  /** The authorization of its requests, if a person may log in. */
  readonly login: ServerLogin | undefined
  /** Why no login is used. */
  readonly distrust: string | undefined
}

export class Connection {
  readonly era: Era
  private readonly parts: ConnectionParts

  constructor(parts: ConnectionParts) {
    this.parts = parts
    const discover = parts.client.getDiscoverResult()
    this.era = discover === undefined ? { kind: "legacy" } : { kind: "modern", discover }
  }

  get capabilities(): JsonObject {
    return (this.parts.client.getServerCapabilities() ?? {}) as JsonObject
  }

  /** Removes the secrets that the server was given. */
  get hide(): Hide {
    return this.parts.hide
  }

  /** Whether the process of the server has ended. */
  get hasEnded(): boolean {
    const { transport } = this.parts
    return transport instanceof StdioTransport && transport.hasEnded
  }

  /** One page, as the server sent it. */
  listTools(cursor: string | undefined, signal: AbortSignal): Promise<RawResult> {
    return this.rejecting(signal, async () =>
      rawOf(
        await this.parts.client.listTools(cursor === undefined ? undefined : { cursor }, {
          signal,
          timeout: NO_TIMEOUT_MS,
          cacheMode: "bypass",
        }),
      ),
    )
  }

  /** The result as the server sent it; the input schema says which params go into headers, too. */
  callTool(
    tool: { readonly name: string; readonly inputSchema: JsonObject },
    args: JsonObject,
    options: CallOptions,
  ): Promise<RawResult> {
    const { answerer, mayRepeat, onProgress: onprogress, signal } = options
    const { calls, client, transport } = this.parts
    const sent = { signal, timeout: NO_TIMEOUT_MS, allowInputRequired: true, onprogress }
    const isStdio = transport instanceof StdioTransport
    return this.rejecting(signal, () =>
      calls.during(options, async () => {
        const params = { name: tool.name, arguments: args, ...this.logging() }
        const send = (given: JsonObject): Promise<object> =>
          isStdio
            ? client.request({ method: "tools/call", params: { ...given } }, anyResult, sent)
            : // By HTTP the SDK also writes params into headers.
              client.callTool(given as unknown as typeof params, {
                ...sent,
                toolDefinition: tool as never,
              })
        return rawOf(await inputRounds({ params, send, answerer, signal, mayRepeat }))
      }),
    )
  }

  /** The result of any other request, as the server sent it. */
  request(
    method: "prompts/get" | "prompts/list" | "resources/list" | "resources/read",
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<RawResult> {
    return this.rejecting(signal, async () =>
      rawOf(
        await this.parts.client.request({ method, params: { ...params } }, anyResult, {
          signal,
          timeout: NO_TIMEOUT_MS,
        }),
      ),
    )
  }

  /** Ends the server, or leaves one that is reached by HTTP. Never rejects. */
  async close(): Promise<void> {
    await this.parts.client.close().catch(() => {})
  }

  /** In the newer revision each request says which messages of the log it wants. */
  private logging(): JsonObject {
    const { sdk } = this.parts
    return this.era.kind === "modern" ? { _meta: { [sdk.LOG_LEVEL_META_KEY]: LOG_LEVEL } } : {}
  }

  private async rejecting<A>(signal: AbortSignal, request: () => Promise<A>): Promise<A> {
    try {
      return await request()
    } catch (error) {
      if (signal.aborted) throw error
      throw connectionFailure(error, this.parts)
    }
  }
}

/** A failure of the connection itself has the reason that the server's process gives. */
export const connectionFailure = (
  error: unknown,
  {
    about,
    distrust,
    hide,
    login,
    transport,
  }: Pick<ConnectionParts, "about" | "distrust" | "hide" | "login" | "transport">,
): McpFailed =>
  transport instanceof StdioTransport && transport.hasEnded
    ? new McpFailed(
        transport.wasTooLong ? "too_large" : "unavailable",
        hide(`${about} is gone: ${transport.endReason()}`),
      )
    : (login?.failureOf(error) ??
      (distrust !== undefined && (error as { readonly status?: unknown }).status === 401
        ? new McpFailed("auth", `${about} wants a login, and none is used: ${distrust}`)
        : failureOf(error, about, hide)))
