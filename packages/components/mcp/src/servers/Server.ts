/** Servers as a workflow declares them, with their defaults. */
import type { JsonObject } from "@planloom/plugin/effect"

/** A text, the value of a secret that the workflow declares, or a variable of this process. */
export type Value =
  | string
  | { readonly secret: string; readonly prefix?: string; readonly default?: string }
  | { readonly env: string; readonly default?: string }

/** The value under the name of a server. */
export interface WrittenServer {
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: { readonly [variable: string]: Value }
  readonly url?: string
  readonly headers?: { readonly [header: string]: Value }
  readonly oauth?: LoginClientOptions
  readonly timeout?: string
  readonly start_timeout?: string
  readonly concurrency?: number
  readonly restart?: { readonly delay?: string; readonly max_delay?: string }
  readonly tools?: {
    readonly allow?: ReadonlyArray<string>
    readonly deny?: ReadonlyArray<string>
    readonly json?: ReadonlyArray<string>
    readonly whole?: ReadonlyArray<string>
  }
  readonly prefix?: string
  readonly trust?: "reads"
  readonly sampling?: boolean
  readonly rate?: { readonly calls_per_minute: number }
  readonly retry?: { readonly max_retries: number; readonly delay?: string }
  readonly max_message_bytes?: number
}

export type WrittenServers = { readonly [name: string]: WrittenServer }

/** A program that is started and spoken to by its standard input and output. */
export interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute path of the working folder. */
  readonly cwd: string
  readonly env: { readonly [variable: string]: Value }
}

/** A client that was registered at the authorization server of a server by hand. */
export interface LoginClientOptions {
  /** Or the address of a document that describes it. */
  readonly client_id: string
  readonly client_secret?: { readonly secret: string }
}

/** A server that is reached by HTTP. */
export interface Endpoint {
  readonly url: string
  readonly headers: { readonly [header: string]: Value }
  readonly oauth?: LoginClientOptions
  /** No login is used, whatever there is: its list and its connections are others than those of a login. */
  readonly isAnonymous?: true
}

/** Secrets and variables that requests to the server carry. */
export const variablesIn = ({ headers }: Endpoint): ReadonlyArray<string> =>
  Object.values(headers).flatMap((value) => {
    if (typeof value === "string") return []
    return ["secret" in value ? value.secret : value.env]
  })

export interface Server {
  readonly name: string
  /** Its tools are `prefix.tool`. */
  readonly prefix: string
  readonly reach: Command | Endpoint
  /** Of a call, as text: the engine limits it. */
  readonly timeout: string
  /** Milliseconds to start, connect and list. */
  readonly startTimeout: number
  /** Calls at the same time. */
  readonly concurrency: number
  /** Milliseconds before a start that follows a failed one: the first, and the longest. */
  readonly restart: { readonly delay: number; readonly maxDelay: number }
  readonly tools: {
    readonly allow?: ReadonlyArray<string>
    readonly deny: ReadonlyArray<string>
    /** Tools whose text is JSON, which is the value of their calls. */
    readonly json: ReadonlyArray<string>
    /** Tools whose calls have the whole result as their value, also if they declare a schema for their data. */
    readonly whole: ReadonlyArray<string>
  }
  /** Whether a person vouches for what the server says of its reads. */
  readonly trustsReads: boolean
  /** Why the file that declares it does not speak for the person, in one sentence. */
  readonly distrust?: string
  readonly sampling: boolean
  readonly callsPerMinute: number | undefined
  readonly retry: { readonly maxRetries: number; readonly delay: number }
  readonly maxMessageBytes: number
  /** Absolute path of the file that declares it. */
  readonly file: string
}

export const isCommand = (reach: Server["reach"]): reach is Command => "command" in reach

/** Whether what the server says of its reads counts. */
export const believesReads = ({ distrust, trustsReads }: Server): boolean =>
  trustsReads && distrust === undefined

/** Whether a name is one of these, which may contain `*`. */
export const matches = (name: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => {
    const parts = pattern.split("*")
    if (parts.length === 1) return name === pattern
    const [first = "", ...rest] = parts
    const last = rest.pop() ?? ""
    if (!name.startsWith(first)) return false
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return name.length >= at + last.length && name.endsWith(last)
  })

/** The identity of a server: its declaration without values of secrets, the same for the same server in every workflow. */
export const identityOf = ({ reach }: Server): JsonObject => ({ ...reach }) as unknown as JsonObject
