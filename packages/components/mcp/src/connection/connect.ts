/** Opens a connection to a server: starts or reaches it, and agrees on a revision of the protocol. */
import type { Client, ClientCapabilities, Transport } from "@modelcontextprotocol/client"
import { pathToFileURL } from "node:url"
import type { JsonObject } from "@planloom/plugin/effect"
import type { LoginStore } from "../login/LoginStore.ts"
import { serverLogin, type ServerLogin } from "../login/ServerLogin.ts"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Server } from "../servers/Server.ts"
import { ActiveCalls } from "./ActiveCall.ts"
import { childEnvironment, valuesOf } from "./childEnvironment.ts"
import { Connection, connectionFailure, type Era } from "./Connection.ts"
import { hidingSecrets, type Hide } from "./hideSecrets.ts"
import { httpTransport } from "./httpTransport.ts"
import { LOG_LEVEL } from "./logLevel.ts"
import { withRawResults } from "./rawResults.ts"
import { loadSdk, type Sdk } from "./sdk.ts"
import { StdioTransport, type Noise } from "./StdioTransport.ts"

export interface ConnectOptions {
  readonly server: Server
  readonly secret: (name: string) => string | undefined
  readonly logins: LoginStore
  /** Absolute paths that the server is shown. */
  readonly roots: ReadonlyArray<string>
  /** The remembered revision. */
  readonly era: Era | undefined
  readonly onToolsChanged: () => void
  readonly onClosed: () => void
}

/** A program that does not answer in this time which revision it speaks has the older one. */
const PROBE_MS = 5000

/** Rejects with a `McpFailed`. */
export const connect = async (
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> => {
  const { era, server } = options
  try {
    return await open(options, era, signal)
  } catch (error) {
    const isGone = !signal.aborted && error instanceof McpFailed && error.class === "unavailable"
    // The server has changed since its revision was remembered.
    if (isGone && era?.kind === "modern") return open(options, undefined, signal)
    // Programs of the older revision may end at the first question.
    if (isGone && era === undefined && isCommand(server.reach)) {
      return open(options, { kind: "legacy" }, signal).catch(() => {
        throw error
      })
    }
    throw error
  }
}

const open = async (
  { logins, onClosed, onToolsChanged, roots, secret, server }: ConnectOptions,
  era: Era | undefined,
  signal: AbortSignal,
): Promise<Connection> => {
  const { distrust, name, reach, sampling, startTimeout } = server
  const sdk = await loadSdk()
  const about = `the server "${name}"`
  const login = serverLogin({ sdk, server, secret, store: logins })
  const given = hidingSecrets(server, secret)
  const hide: Hide = login === undefined ? given : (text) => login.hide(given(text))
  const calls = new ActiveCalls()
  const transport = withRawResults(
    transportTo(server, sdk, secret, login, ({ kind, text }) =>
      calls.say({ kind, text: hide(text) }),
    ),
  )
  const capabilities: ClientCapabilities = {
    elicitation: { form: {}, url: {} },
    // Paths of this machine mean nothing elsewhere.
    ...(isCommand(reach) ? { roots: {} } : {}),
    ...(sampling ? { sampling: {} } : {}),
  }
  const client = new sdk.Client(
    { name: "planloom", version: "1" },
    {
      capabilities,
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.min(PROBE_MS, startTimeout) } },
    },
  )
  answerRequests(client, capabilities, calls, roots)
  client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged)
  client.setNotificationHandler("notifications/prompts/list_changed", onToolsChanged)
  client.setNotificationHandler("notifications/message", ({ params: { data, level } }) =>
    calls.say({ kind: "log", level, text: hide(logText(data)) }),
  )
  const late = AbortSignal.timeout(startTimeout)
  try {
    await client.connect(transport, {
      signal: AbortSignal.any([signal, late]),
      timeout: startTimeout,
      ...(era === undefined ? {} : { prior: era }),
    })
  } catch (error) {
    const failure = late.aborted
      ? new McpFailed("timeout", `${about} was not ready in ${startTimeout} ms (start_timeout)`)
      : connectionFailure(error, { about, distrust, hide, login, transport })
    await transport.close().catch(() => {})
    throw failure
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
  client.onclose = onClosed
  const connection = new Connection({
    sdk,
    client,
    transport,
    calls,
    hide,
    about,
    login,
    distrust,
  })
  void follow(client, connection)
  return connection
}

const logText = (data: unknown): string =>
  typeof data === "string" ? data : (JSON.stringify(data) ?? "")

const transportTo = (
  server: Server,
  sdk: Sdk,
  secret: ConnectOptions["secret"],
  login: ServerLogin | undefined,
  onNoise: (noise: Noise) => void,
): Transport => {
  const { maxMessageBytes, reach } = server
  return isCommand(reach)
    ? new StdioTransport({
        ...reach,
        env: childEnvironment(reach.env, server, secret),
        maxMessageBytes,
        onNoise,
      })
    : httpTransport(sdk, {
        url: reach.url,
        headers: valuesOf(reach.headers, server, secret),
        login,
        maxMessageBytes,
      })
}

/** Asks for changes of the tools and prompts, and for the log. A server that refuses, or does not answer, is used without. */
const follow = async (client: Client, { capabilities, era }: Connection): Promise<void> => {
  const { logging, prompts, tools } = capabilities as {
    readonly [name: string]: JsonObject | undefined
  }
  try {
    if (era.kind === "modern") {
      const changing = {
        ...(tools?.["listChanged"] === true ? { toolsListChanged: true } : {}),
        ...(prompts?.["listChanged"] === true ? { promptsListChanged: true } : {}),
      }
      if (Object.keys(changing).length > 0) await client.listen(changing)
    } else if (logging !== undefined) {
      await client.request({ method: "logging/setLevel", params: { level: LOG_LEVEL } })
    }
  } catch {
    // No call needs either.
  }
}

/** Answers the requests that a server of the older revision sends. */
const answerRequests = (
  client: Client,
  { roots: showsRoots, sampling }: ClientCapabilities,
  calls: ActiveCalls,
  roots: ReadonlyArray<string>,
): void => {
  const answered = async (
    { method, params }: { readonly method: string; readonly params?: unknown },
    { mcpReq }: { readonly mcpReq: { readonly signal: AbortSignal } },
  ) => (await calls.answer({ method, params: params as JsonObject }, mcpReq.signal)) as never
  client.setRequestHandler("elicitation/create", answered)
  if (showsRoots !== undefined) {
    client.setRequestHandler("roots/list", () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
    }))
  }
  if (sampling !== undefined) client.setRequestHandler("sampling/createMessage", answered)
}
