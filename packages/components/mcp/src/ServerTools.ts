/** The tools of one server in one workflow: its list, the synchronization of the list, and calls. */
import { setTimeout as sleep } from "node:timers/promises"
import type { FailureClass, Host, JsonObject } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { CallOptions, Era } from "./connection/Connection.ts"
import {
  sharedConnection,
  type SharedConnection,
  type ShareOptions,
} from "./connection/SharedConnection.ts"
import { isAllowed } from "./listing/toolOf.ts"
import type { LoginStore } from "./login/LoginStore.ts"
import type { ApprovalStore } from "./listing/ApprovalStore.ts"
import type { FailureStore, ListFailure } from "./listing/FailureStore.ts"
import { flaggedTools, signsIn } from "./listing/flaggedTools.ts"
import { withheldReason } from "./listing/WithheldTool.ts"
import type { ListStore } from "./listing/ListStore.ts"
import type { ListedTool } from "./listing/cleanTool.ts"
import { readPrompt } from "./listing/promptTools.ts"
import { readResources } from "./listing/resourceTools.ts"
import { readList } from "./listing/readList.ts"
import type { ServerList } from "./listing/ServerList.ts"
import { McpFailed } from "./McpFailed.ts"
import { readResult, type ReadResult } from "./results/readResult.ts"
import { believesReads, isCommand, matches, variablesIn, type Server } from "./servers/Server.ts"

export interface ServerToolsOptions extends Pick<Host, "maySend" | "mayStart"> {
  readonly server: Server
  readonly store: ListStore
  readonly logins: LoginStore
  readonly approvals: ApprovalStore
  readonly failures: FailureStore
  readonly secret: (name: string) => string | undefined
  readonly roots: ReadonlyArray<string>
  /** Called when the list is another than before. */
  readonly onChange: () => void
}

export interface CallOfTool extends Omit<CallOptions, "mayRepeat"> {
  /** As the workflow names it. */
  readonly tool: string
  /** Its name without the prefix of the server. */
  readonly name: string
  readonly params: JsonObject
  readonly roots: ReadonlyArray<string>
  readonly workspace: string
}

/** Time after which a server of the older revision is asked again which it speaks. */
const LEGACY_MS = 7 * 86_400_000

/** Least time between synchronizations that the server asks for. */
const CHANGE_MS = 500

/** Classes of failures that may pass. */
const passing: ReadonlySet<FailureClass> = new Set(["rate_limit", "overloaded", "unavailable"])

export class ServerTools {
  readonly server: Server
  private readonly options: ServerToolsOptions
  private list: ServerList | undefined
  private synchronizing: Promise<ServerList> | undefined
  private isAllowed = false
  /** Whether the server has announced a change since the last synchronization began. */
  private isOutdated = false
  private following: Promise<void> | undefined
  private readonly closing = new AbortController()
  private readonly connections = new Map<
    string,
    { readonly options: ShareOptions; readonly shared: SharedConnection }
  >()

  constructor(options: ServerToolsOptions) {
    this.options = options
    this.server = options.server
  }

  /** The list of the last synchronization, of this process or an earlier one; starts nothing. */
  known(): ServerList | undefined {
    this.list ??= this.options.store.read(this.server)
    return this.list
  }

  /** The reason why its command may not be started, or its headers not be sent, as a sentence; undefined if they may. */
  async refusal(): Promise<string | undefined> {
    const { file, name, reach } = this.server
    if (this.isAllowed) return undefined
    if (isCommand(reach)) {
      const { args, command } = reach
      const what = `the server "${name}"`
      const why = await this.options.mayStart?.({ what, command, args, file })
      this.isAllowed = why === undefined
      return why === undefined ? undefined : `${what} may not be started: ${why}`
    }
    const { origin } = new URL(reach.url)
    for (const secret of variablesIn(reach)) {
      const why = await this.options.maySend?.({ secret, to: origin })
      if (why !== undefined) return `the server "${name}" gets no ${secret}: ${why}`
    }
    this.isAllowed = true
    return undefined
  }

  /** The known list if it still holds, else a new one. Rejects with a `McpFailed`. */
  async current(): Promise<ServerList> {
    const known = this.known()
    return known !== undefined && Date.now() < known.expires ? known : this.synchronized()
  }

  /** The list that another workflow or process has read since, while it holds, else a new one. */
  async refreshed(): Promise<void> {
    const { onChange, store } = this.options
    const stored = store.read(this.server)
    const before = this.list
    const isNewer = stored !== undefined && stored.at > (before?.at ?? 0)
    if (!isNewer || Date.now() >= stored.expires) {
      await this.synchronized()
      return
    }
    this.list = stored
    if (digestOf(before) !== digestOf(stored)) onChange()
  }

  /** Reads the list from the server. Those who ask at the same time get the same one. */
  synchronized(): Promise<ServerList> {
    this.synchronizing ??= this.remembering(this.synchronize()).finally(() => {
      this.synchronizing = undefined
    })
    return this.synchronizing
  }

  /** Why the server could not be listed last, by this process or an earlier one; undefined if it could. */
  lastFailure(): ListFailure | undefined {
    return this.options.failures.read(this.server)
  }

  /** Approves withheld tools as the last list has them: as a person was shown. */
  async approve(names: ReadonlyArray<string>): Promise<void> {
    const { approvals, store } = this.options
    const list = this.known()
    if (list === undefined) return
    const chosen = new Set(names)
    const { withheld = [], ...rest } = list
    await approvals.approve(
      this.server,
      list.tools.filter(({ name }) => chosen.has(name)),
    )
    const left = withheld.filter(({ name }) => !chosen.has(name))
    this.list = left.length === 0 ? rest : { ...rest, withheld: left }
    await store.write(this.server, this.list)
  }

  /** Rejects with a `McpFailed`, or with the reason of the signal. Reads are repeated as the server's `retry` says. */
  async call(given: CallOfTool): Promise<ReadResult> {
    const { server } = this
    const list = this.known()
    const listed = list?.tools.find(({ name }) => name === given.name)
    if (!isAllowed(server, listed?.raw ?? given.name)) {
      throw new McpFailed("invalid_request", `the workflow may not use "${given.tool}"`)
    }
    this.mustBeApproved(given)
    const { delay, maxRetries } = server.retry
    const mayRepeat = isDocument(listed) || (believesReads(server) && listed?.readOnly === true)
    for (let retry = 0; ; retry++) {
      try {
        return await this.callOnce(given, listed)
      } catch (error) {
        const isPassing = error instanceof McpFailed && passing.has(error.class)
        if (!isPassing || !mayRepeat || retry === maxRetries || given.signal.aborted) throw error
        await sleep(Math.max(error.retryAfter ?? 0, delay * 2 ** retry), undefined, {
          signal: given.signal,
        })
      }
    }
  }

  async close(): Promise<void> {
    this.closing.abort(new McpFailed("cancelled", "the workflow was closed"))
    const open = [...this.connections.values()]
    this.connections.clear()
    await Promise.all(open.map(({ options, shared }) => shared.leave(options)))
  }

  private async callOnce(
    { name, params, tool, workspace, ...options }: CallOfTool,
    listed: ListedTool | undefined,
  ): Promise<ReadResult> {
    const raw = listed?.raw ?? name
    const { shared } = await this.connected(options.roots)
    return shared.gate.through(options.signal, () =>
      shared.use(options.signal, async (connection) => {
        const result =
          listed?.isResource === true
            ? await readResources(listed, connection, params, options.signal)
            : listed?.prompt !== undefined
              ? await readPrompt(listed, connection, params, options.signal)
              : await connection.callTool(
                  {
                    name: raw,
                    inputSchema: (isObject(listed?.params) ? listed.params : {}) as JsonObject,
                  },
                  params,
                  { ...options, mayRepeat: () => this.mustBeSame(tool, listed) },
                )
        const read = await readResult(result, {
          tool,
          schema: listed?.result,
          isListed: listed !== undefined,
          isJson: matches(raw, this.server.tools.json),
          isWhole: matches(raw, this.server.tools.whole),
          workspace,
          hide: connection.hide,
        })
        return isDocument(listed) ? { ...read, signs: await signsIn(read.value) } : read
      }),
    )
  }

  /** A failure is kept until a list succeeds; that a server may not be started says nothing about the server. */
  private async remembering(work: Promise<ServerList>): Promise<ServerList> {
    const {
      server,
      options: { failures },
    } = this
    try {
      const list = await work
      await failures.clear(server)
      return list
    } catch (error) {
      if (
        error instanceof McpFailed &&
        !this.closing.signal.aborted &&
        (await this.refusal()) === undefined
      ) {
        await failures.write(server, { at: Date.now(), message: error.message })
      }
      throw error
    }
  }

  private async synchronize(): Promise<ServerList> {
    const { options, server } = this
    const { signal } = this.closing
    const { shared } = await this.connected(options.roots)
    const read = await shared.use(signal, (connection) =>
      readList(connection, {
        server,
        eraAt: this.rememberedEra() === undefined ? Date.now() : this.known()!.eraAt,
        signal,
      }),
    )
    const flagged = await flaggedTools(read.tools)
    const before = this.list
    const list = await options.approvals.judge(server, {
      ...read,
      ...(flagged.length === 0 ? {} : { flagged }),
    })
    this.list = list
    await options.store.write(server, list)
    if (digestOf(before) !== digestOf(list)) options.onChange()
    return list
  }

  /** A server that learns the newer revision still answers in the older one, so that a memory of the older one ends. */
  private rememberedEra(): Era | undefined {
    const { era, eraAt = 0 } = this.known() ?? {}
    return era?.kind === "modern" || Date.now() - eraAt < LEGACY_MS ? era : undefined
  }

  /** A connection is shown the roots when it is opened, so that each set of them has its own. */
  private async connected(roots: ReadonlyArray<string>) {
    const refusal = await this.refusal()
    if (refusal !== undefined) throw new McpFailed("unavailable", refusal)
    this.closing.signal.throwIfAborted()
    const shown = isCommand(this.server.reach) ? roots : []
    const key = JSON.stringify(shown)
    let one = this.connections.get(key)
    if (one === undefined) {
      const options: ShareOptions = {
        server: this.server,
        secret: this.options.secret,
        logins: this.options.logins,
        roots: shown,
        era: () => this.rememberedEra(),
        onToolsChanged: () => this.changed(),
      }
      one = { options, shared: sharedConnection(options) }
      this.connections.set(key, one)
    }
    return one
  }

  /** The server has announced another list: what is read now may be the old one, so that it is read once more. */
  private changed(): void {
    this.isOutdated = true
    this.following ??= this.followChanges().finally(() => {
      this.following = undefined
    })
  }

  /** One synchronization after the other, so that the last one wins; a server that announces changes without end has to wait. */
  private async followChanges(): Promise<void> {
    const { signal } = this.closing
    while (this.isOutdated && !signal.aborted) {
      await this.synchronizing?.catch(ignored)
      this.isOutdated = false
      await this.synchronized().catch(ignored)
      await sleep(CHANGE_MS, undefined, { signal, ref: false }).catch(ignored)
    }
  }

  /** Another process may have approved the tool since the list was read. */
  private mustBeApproved({ name, tool }: Pick<CallOfTool, "name" | "tool">): void {
    const withheldIn = (list: ServerList | undefined) =>
      list?.withheld?.find((one) => one.name === name)
    if (withheldIn(this.list) === undefined) return
    const digest = (list: ServerList | undefined) =>
      list?.tools.find((one) => one.name === name)?.digest
    const stored = this.options.store.read(this.server)
    if (digest(stored) === digest(this.list)) this.list = stored
    const withheld = withheldIn(this.list)
    if (withheld !== undefined) {
      throw new McpFailed("unavailable", `"${tool}" is withheld: ${withheldReason(withheld)}`)
    }
  }

  /** A call that asks for input runs again from its start: by then it may be another tool. */
  private mustBeSame(tool: string, before: ListedTool | undefined): void {
    const now = this.list?.tools.find((one) => one.name === before?.name)
    if (before !== undefined && now?.digest !== before.digest) {
      throw new McpFailed(
        "invalid_request",
        `"${tool}" has changed while its call waited for input`,
      )
    }
  }
}

/** Whether it gives a text of the server rather than doing something. */
const isDocument = (listed: ListedTool | undefined): boolean =>
  listed?.isResource === true || listed?.prompt !== undefined

const digestOf = (list: ServerList | undefined): string | undefined =>
  list === undefined
    ? undefined
    : JSON.stringify([
        list.tools.map(({ digest }) => digest),
        list.withheld?.map(({ name }) => name),
      ])

/** The earlier list stays; a call reports what is wrong with the server. */
const ignored = (): void => {}
