/** The tool source `mcp`: the tools of all servers that a workflow declares. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type Declared,
  type Host,
  type ToolInvocation,
  type ToolList,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { stateFolder } from "@planloom/plugin/state"
import { ApprovalStore } from "./listing/ApprovalStore.ts"
import { changesOf } from "./listing/changesOf.ts"
import { FailureStore } from "./listing/FailureStore.ts"
import { givenTools } from "./listing/givenTools.ts"
import { joinLists, type ListPart } from "./listing/joinLists.ts"
import { ListStore } from "./listing/ListStore.ts"
import { missingIn } from "./listing/ServerList.ts"
import { LoginStore } from "./login/LoginStore.ts"
import { McpFailed } from "./McpFailed.ts"
import { notesOf } from "./requests/notesOf.ts"
import { answererOf } from "./requests/answererOf.ts"
import { judgeServer } from "./servers/judgeServer.ts"
import { readServers } from "./servers/readServers.ts"
import { ServerTools } from "./ServerTools.ts"

export const SOURCE = "mcp"

export interface McpToolsOptions extends Pick<Host, "maySend" | "mayStart" | "mayTrust"> {
  readonly declared: () => Declared
  readonly secret: (name: string) => string | undefined
  /** The user's state folder. */
  readonly state?: string
  /** Least milliseconds between two lists of a server that announces no change; a minute unless given. */
  readonly leastRefresh?: number
}

/** The tools of the last synchronization of each server; nothing is started. */
export const knownTools = (declared: Declared, state = stateFolder()): Effect.Effect<ToolList> =>
  Effect.sync(() => {
    const store = new ListStore(state)
    const failures = new FailureStore(state)
    return joinLists(
      [...readServers(declared).values()].map((server) => ({
        server,
        list: store.read(server),
        failure: failures.read(server),
      })),
    )
  })

export class McpTools implements ToolSource {
  readonly id = SOURCE
  readonly summary = "Tools of servers that speak the Model Context Protocol."
  readonly endsAtOnce = true
  readonly given = givenTools
  private readonly options: McpToolsOptions
  private readonly store: ListStore
  private readonly logins: LoginStore
  private readonly approvals: ApprovalStore
  private readonly failures: FailureStore
  private making: Promise<ReadonlyMap<string, ServerTools>> | undefined
  private made: ReadonlyMap<string, ServerTools> | undefined
  private readonly listeners = new Set<() => void>()

  constructor(options: McpToolsOptions) {
    this.options = options
    const state = options.state ?? stateFolder()
    this.store = new ListStore(state)
    this.logins = new LoginStore(state)
    this.approvals = new ApprovalStore(state)
    this.failures = new FailureStore(state)
  }

  readonly known: Effect.Effect<ToolList> = Effect.promise(async () =>
    joinLists(
      await Promise.all(
        [...(await this.servers()).values()].map(async (one) => ({
          server: one.server,
          list: one.known(),
          failure: one.lastFailure(),
          refusal: await one.refusal(),
        })),
      ),
    ),
  )

  /** Starts the servers whose list is unknown or out of date. One that fails does not keep the others. */
  readonly list: Effect.Effect<ToolList, ToolFailed> = Effect.promise(async (signal) =>
    joinLists(
      await Promise.all(
        [...(await this.servers()).values()].map(async (one): Promise<ListPart> => {
          const { server } = one
          const refusal = await one.refusal()
          try {
            const list = await one.current()
            const missing = missingIn(list)
            return {
              server,
              list,
              refusal,
              isRead: true,
              problem:
                missing === undefined ? undefined : `the server "${server.name}": ${missing}`,
            }
          } catch (error) {
            if (signal.aborted || !(error instanceof McpFailed)) throw error
            return { server, list: one.known(), refusal, problem: error.message }
          }
        }),
      ),
    ),
  )

  readonly changes = changesOf((listener) => this.listen(listener))

  readonly call = (invocation: ToolInvocation): Effect.Effect<ToolResult, ToolFailed> => {
    const { progress, roots, tool } = invocation
    const dot = tool.indexOf(".")
    return Effect.contextWith((services: Context<never>) =>
      Effect.tryPromise({
        try: async (signal): Promise<ToolResult> => {
          const run = <A, E>(work: Effect.Effect<A, E>): Promise<A> =>
            Effect.runPromiseWith(services)(work, { signal })
          const servers = this.made ?? (await this.servers())
          const one = dot < 0 ? undefined : servers.get(tool.slice(0, dot))
          if (one === undefined) {
            throw new McpFailed("invalid_request", `no declared server has the tool "${tool}"`)
          }
          const {
            beside,
            signs = [],
            value,
          } = await one.call({
            tool,
            name: tool.slice(dot + 1),
            params: invocation.params,
            roots,
            workspace: invocation.workspace,
            run: invocation.workspace,
            signal,
            answerer: answererOf(invocation, one.server, run),
            onProgress: ({ message, progress: done, total }) => {
              const fraction = total === undefined || total <= 0 ? undefined : done / total
              void run(progress(message ?? tool, fraction)).catch(() => {})
            },
            said: notesOf(invocation, one.server, run),
          })
          if (signs.length > 0) {
            await run(
              invocation.note(
                "mcp/flagged",
                { tool, signs },
                `what "${tool}" gave instructs a model (${signs.join(", ")})`,
              ),
            )
          }
          if (beside.length > 0) {
            await run(
              invocation.note(
                "mcp/attachments",
                { tool, attachments: beside },
                `"${tool}" gave ${beside.length} attachments beside its result`,
              ),
            )
          }
          return { value }
        },
        catch: (error) => error,
      }),
    ).pipe(
      Effect.catch((error) =>
        error instanceof McpFailed ? Effect.fail(toolFailed(tool, error)) : Effect.die(error),
      ),
    )
  }

  /** Ends all servers at the same time. */
  readonly close: Effect.Effect<void> = Effect.promise(async () => {
    await Promise.all([...(this.made?.values() ?? [])].map((one) => one.close()))
  })

  /** Made with their first use: what the workflow declares is not known before. By prefix. */
  servers(): Promise<ReadonlyMap<string, ServerTools>> {
    this.making ??= this.make()
    return this.making
  }

  private async make(): Promise<ReadonlyMap<string, ServerTools>> {
    const { approvals, failures, logins, options, store } = this
    const { declared, maySend, mayStart, mayTrust, secret } = options
    const given = declared()
    const made = new Map<string, ServerTools>()
    // One after the other: a person may be asked.
    for (const [prefix, server] of readServers(given)) {
      const tools = new ServerTools({
        server: await judgeServer(server, { logins, ...(mayTrust && { mayTrust }) }),
        store,
        logins,
        approvals,
        failures,
        secret,
        roots: given.roots,
        ...(maySend && { maySend }),
        ...(mayStart && { mayStart }),
        onChange: () => {
          for (const listener of this.listeners) listener()
        },
      })
      made.set(prefix, tools)
    }
    return (this.made = made)
  }

  /** Lists are read again in the background while there is a listener. */
  private listen(listener: () => void): () => void {
    this.listeners.add(listener)
    const ended = new AbortController()
    void this.servers().then((servers) => {
      for (const one of servers.values()) void this.keepFresh(one, ended.signal)
    })
    return () => {
      ended.abort()
      this.listeners.delete(listener)
    }
  }

  /** Reads the list of a server again whenever it no longer holds; of a server that was away, until it can be listed. */
  private async keepFresh(one: ServerTools, signal: AbortSignal): Promise<void> {
    if ((await one.refusal()) !== undefined) return
    const { leastRefresh = LEAST_REFRESH_MS } = this.options
    // A list that is unknown was just asked for.
    let least = one.known() === undefined ? leastRefresh : 0
    while (!signal.aborted) {
      const wait = Math.max(least, (one.known()?.expires ?? 0) - Date.now())
      await sleep(wait, undefined, { signal, ref: false }).catch(ignored)
      if (signal.aborted) return
      await one.refreshed().catch(ignored)
      least = leastRefresh
    }
  }
}

/** Least time between two lists of a server that announces no change. */
const LEAST_REFRESH_MS = 60_000

/** The earlier list stays; a call reports what is wrong with the server. */
const ignored = (): void => {}

const toolFailed = (tool: string, { class: kind, detail, message, retryAfter }: McpFailed) =>
  new ToolFailed({
    tool,
    class: kind,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
