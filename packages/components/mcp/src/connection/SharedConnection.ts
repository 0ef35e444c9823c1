/** The connection to one server that all workflows of the process share: opened with its first use, and again after it has ended. */
import { hash } from "node:crypto"
import { isObject } from "@planloom/schema"
import type { LoginStore } from "../login/LoginStore.ts"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Server } from "../servers/Server.ts"
import { CallGate } from "./CallGate.ts"
import { valuesOf } from "./childEnvironment.ts"
import { connect } from "./connect.ts"
import type { Connection, Era } from "./Connection.ts"

export interface ShareOptions {
  readonly server: Server
  readonly secret: (name: string) => string | undefined
  readonly logins: LoginStore
  readonly roots: ReadonlyArray<string>
  /** The revision that is remembered of the server. */
  readonly era: () => Era | undefined
  readonly onToolsChanged: () => void
}

export class SharedConnection {
  readonly gate: CallGate
  private readonly options: ShareOptions
  private readonly onEmpty: () => void
  private readonly users = new Set<ShareOptions>()
  private readonly closing = new AbortController()
  private opened: Promise<Connection> | undefined
  /** The connection, once it is open. */
  private ready: Connection | undefined
  /** Starts that failed, and ends of the server, since a request last succeeded. */
  private failures = 0
  private notBefore = 0
  private lastFailure: McpFailed | undefined

  constructor(options: ShareOptions, onEmpty: () => void) {
    this.options = options
    this.onEmpty = onEmpty
    const { callsPerMinute, concurrency } = options.server
    this.gate = new CallGate(concurrency, callsPerMinute)
  }

  join(user: ShareOptions): void {
    this.users.add(user)
  }

  /** The last user closes the connection. */
  async leave(user: ShareOptions): Promise<void> {
    if (!this.users.delete(user) || this.users.size > 0) return
    this.onEmpty()
    this.closing.abort(new McpFailed("cancelled", "the server is no longer used"))
    await this.opened?.then(
      (connection) => connection.close(),
      () => {},
    )
  }

  /** Uses the connection for a request. */
  async use<A>(signal: AbortSignal, request: (connection: Connection) => Promise<A>): Promise<A> {
    // A call that need not wait for the connection takes no turns of the event loop for it.
    const connection = this.ready ?? (await raced(this.connection(), signal))
    try {
      const result = await request(connection)
      this.failures = 0
      return result
    } catch (error) {
      const isLost = isSessionLost(error)
      if (isLost || connection.hasEnded) this.drop(connection)
      if (!isLost) throw error
      // The server has not seen the request: it no longer knows the session.
      return request(await raced(this.connection(), signal))
    }
  }

  /** The next use opens another one. */
  private drop(connection: Connection): void {
    if (this.ready !== connection) return
    this.opened = undefined
    this.ready = undefined
    void connection.close()
  }

  /** Every later use opens a new one. */
  private connection(): Promise<Connection> {
    if (this.opened !== undefined) return this.opened
    const wait = this.notBefore - Date.now()
    if (wait > 0) {
      const { message } = this.lastFailure!
      return Promise.reject(
        new McpFailed(
          "unavailable",
          `${message} (it is started again in ${Math.ceil(wait / 1000)} s)`,
          {
            retryAfter: wait,
          },
        ),
      )
    }
    const { era, logins, roots, secret, server } = this.options
    const opened: Promise<Connection> = connect(
      {
        server,
        secret,
        logins,
        roots,
        era: era(),
        onToolsChanged: () => {
          for (const user of this.users) user.onToolsChanged()
        },
        onClosed: () => {
          if (this.opened !== opened) return
          this.opened = undefined
          this.ready = undefined
          this.failed(new McpFailed("unavailable", `the server "${server.name}" has ended`))
        },
      },
      this.closing.signal,
    )
    this.opened = opened
    opened.then(
      (connection) => {
        if (this.opened === opened) this.ready = connection
      },
      (error: unknown) => {
        if (this.opened !== opened) return
        this.opened = undefined
        this.failed(
          error instanceof McpFailed ? error : new McpFailed("unavailable", String(error)),
        )
      },
    )
    return opened
  }

  /** The first start after a failure is immediate. */
  private failed(failure: McpFailed): void {
    // A person may log in at any time.
    if (failure.class === "auth") return
    const { delay, maxDelay } = this.options.server.restart
    this.failures++
    this.lastFailure = failure
    this.notBefore =
      this.failures < 2 ? 0 : Date.now() + Math.min(maxDelay, delay * 2 ** (this.failures - 2))
  }
}

const isSessionLost = (error: unknown): boolean =>
  error instanceof McpFailed && isObject(error.detail) && error.detail["status"] === 404

/** By what the connections are made with: values of secrets among it, so as a digest. */
const shared = new Map<string, SharedConnection>()

/** The connection of the process for these options; `leave` it with the same options. */
export const sharedConnection = (options: ShareOptions): SharedConnection => {
  const key = keyOf(options)
  let connection = shared.get(key)
  if (connection === undefined) {
    connection = new SharedConnection(options, () => shared.delete(key))
    shared.set(key, connection)
  }
  connection.join(options)
  return connection
}

/** Throws for a secret without a value. */
const keyOf = ({ logins, roots, secret, server }: ShareOptions): string => {
  const { distrust, maxMessageBytes, name, reach, sampling } = server
  const values = valuesOf(isCommand(reach) ? reach.env : reach.headers, server, secret)
  // Programs take no logins. Failures of one have the name of the server, and the reason against it.
  const login = isCommand(reach) ? null : [logins.folder, name, distrust]
  return hash("sha256", JSON.stringify([reach, values, sampling, maxMessageBytes, roots, login]))
}

/** Leaves the work to the others that wait for it when the signal is aborted. */
const raced = async <A>(work: Promise<A>, signal: AbortSignal): Promise<A> => {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener("abort", abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
