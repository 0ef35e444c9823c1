/** Sessions of clients before 2026-07-28: what a client can do is known from its first request, so that it can be asked. */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import type { ApiHandler } from "./Api.ts"
import { createServer, newState } from "./createServer.ts"
import { type HttpCaller, type HttpOptions, rejection } from "./Http.ts"
import type { PendingCalls } from "./PendingCalls.ts"

/** Sessions of one caller, and of all; beyond that the one that was used least recently is closed. */
const MAX_OWN = 100
const MAX_SESSIONS = 10_000

/** A session without a request for so long is closed. */
const IDLE_MS = 3_600_000

interface Session {
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly calls: PendingCalls
  /** As its last request has it: a key may have lost a scope. */
  api: ApiHandler
  /** Epoch milliseconds. */
  usedAt: number
}

export class Sessions {
  private readonly options: HttpOptions
  /** Those that were used least recently first. */
  private readonly sessions = new Map<string, Session>()

  constructor(options: HttpOptions) {
    this.options = options
  }

  /** Answers the request that opens a session. */
  async open(request: Request, caller: HttpCaller, body: unknown): Promise<Response> {
    this.makeRoom(caller)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.sessions.set(id, session),
      onsessionclosed: (id) => void this.sessions.delete(id),
    })
    const state = newState()
    const session: Session = {
      owner: caller.id,
      transport,
      calls: state.calls,
      api: caller.api,
      usedAt: Date.now(),
    }
    const server = createServer(
      (inner) => session.api(inner),
      this.options,
      { era: "legacy" },
      state,
    )
    await server.connect(transport)
    return transport.handleRequest(request, { parsedBody: body })
  }

  /** A session of another caller does not exist for this one. */
  async handle(id: string, request: Request, caller: HttpCaller, body: unknown): Promise<Response> {
    const session = this.sessions.get(id)
    if (session === undefined || session.owner !== caller.id) {
      return rejection(404, -32_001, "Session not found")
    }
    session.api = caller.api
    session.usedAt = Date.now()
    this.sessions.delete(id)
    this.sessions.set(id, session)
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
  }

  /** Makes room for a session of the caller. */
  private makeRoom({ id: owner }: HttpCaller): void {
    const now = Date.now()
    for (const [id, { calls, usedAt }] of this.sessions) {
      if (usedAt + IDLE_MS >= now) break
      if (calls.size === 0) this.close(id)
    }
    const own = [...this.sessions].filter(([, session]) => session.owner === owner)
    if (own.length >= MAX_OWN) this.close(own[0]![0])
    if (this.sessions.size >= MAX_SESSIONS) this.close(this.sessions.keys().next().value!)
  }

  private close(id: string): void {
    void this.sessions.get(id)?.transport.close()
    this.sessions.delete(id)
  }
}
