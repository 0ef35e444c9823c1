/** Logins in the user's state folder, one file for each server, outside of every project. */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { makePrivateFolder, writePrivately } from "@planloom/plugin/state"
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client"
import type { Endpoint } from "../servers/Server.ts"
import { withFileLock } from "@planloom/plugin/lock"

/** This program as an authorization server knows it. */
export interface LoginClient {
  readonly client_id: string
  /** Of a client that the server has registered; the secret of a declared one stays where the workflow reads it. */
  readonly client_secret?: string | undefined
  readonly token_endpoint_auth_method?: string | undefined
  /** Of a client that the server has registered. */
  readonly redirect_uris?: ReadonlyArray<string> | undefined
}

/** The credentials from one authorization server: used with no other one. */
export interface IssuerLogin {
  readonly client: LoginClient
  readonly metadata: AuthorizationServerMetadata
  /** As the server names itself to its authorization server. */
  readonly resource?: string | undefined
  /** Separated by spaces. */
  readonly scope?: string | undefined
  readonly tokens?: Tokens | undefined
}

export interface Tokens {
  readonly access: string
  readonly refresh?: string | undefined
  /** Epoch milliseconds. */
  readonly expires?: number | undefined
}

/** The demands of a server that refused a request. */
export interface Challenge {
  readonly scope?: string | undefined
  /** Address of its metadata. */
  readonly metadata?: string | undefined
}

export interface Logins {
  /** Of this format. */
  readonly version: 1
  readonly url: string
  /** The issuer whose tokens are sent. */
  readonly current?: string | undefined
  readonly wanted?: Challenge | undefined
  readonly issuers: { readonly [issuer: string]: IssuerLogin }
}

export class LoginStore {
  readonly folder: string

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.folder = join(state, "mcp", "tokens")
  }

  /** A file that cannot be read counts as absent: the next login writes it again. */
  read(endpoint: Endpoint): Logins {
    try {
      const logins = JSON.parse(readFileSync(this.fileOf(endpoint), "utf8")) as Logins
      if (logins.version === 1 && logins.url === endpoint.url) return logins
    } catch {
      // None yet.
    }
    return { version: 1, url: endpoint.url, issuers: {} }
  }

  /**
   * Replaces the logins by what `change` makes of them, while no other process does so; with undefined they stay.
   */
  async update(
    endpoint: Endpoint,
    change: (before: Logins) => Promise<Logins | undefined> | Logins | undefined,
  ): Promise<Logins> {
    await makePrivateFolder(this.folder)
    const file = this.fileOf(endpoint)
    return withFileLock(`${file}.lock`, async () => {
      const before = this.read(endpoint)
      const after = await change(before)
      if (after === undefined) return before
      await writePrivately(file, JSON.stringify(after))
      return after
    })
  }

  async remove(endpoint: Endpoint): Promise<void> {
    await makePrivateFolder(this.folder)
    const file = this.fileOf(endpoint)
    await withFileLock(`${file}.lock`, () => rm(file, { force: true }))
  }

  /** Another client of the same server has its own logins. */
  private fileOf({ oauth, url }: Endpoint): string {
    return join(this.folder, `${hash("sha256", JSON.stringify([url, oauth?.client_id]))}.json`)
  }
}

/** The login that counts, if there is one. */
export const currentLogin = ({ current, issuers }: Logins): IssuerLogin | undefined =>
  current === undefined ? undefined : issuers[current]

/** Logins after one at an issuer, whose tokens are sent from now on; those of other issuers are forgotten. */
export const withLogin = (
  { issuers, url, version }: Logins,
  issuer: string,
  login: IssuerLogin,
): Logins => ({
  version,
  url,
  current: issuer,
  issuers: {
    ...Object.fromEntries(
      Object.entries(issuers).map(([name, { tokens: _, ...other }]) => [name, other]),
    ),
    [issuer]: login,
  },
})

/** Logins with other tokens of the current issuer. */
export const withTokens = (
  logins: Logins,
  tokens: Tokens | undefined,
  scope = currentLogin(logins)?.scope,
): Logins => {
  const { current, issuers } = logins
  return current === undefined
    ? logins
    : { ...logins, issuers: { ...issuers, [current]: { ...issuers[current]!, scope, tokens } } }
}
