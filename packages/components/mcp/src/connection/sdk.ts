/** The SDK of the protocol, loaded with the first connection. */
import type * as Client from "@modelcontextprotocol/client"
import { missingPackage } from "@planloom/plugin/late"
import { McpFailed } from "../McpFailed.ts"

export type Sdk = typeof Client

const NAME = "@modelcontextprotocol/client"

let loaded: Promise<Sdk> | undefined

/** Rejects with a `McpFailed` if the package is not installed. */
export const loadSdk = (): Promise<Sdk> => {
  loaded ??= import("@modelcontextprotocol/client").catch((error: unknown) => {
    const message = missingPackage(NAME, error)
    throw message === undefined ? error : new McpFailed("unavailable", message)
  })
  return loaded
}
