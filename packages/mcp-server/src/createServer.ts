/** The server of one connection or request: what it offers of the API, by the methods of the protocol. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpRequestContext,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { Api, type ApiHandler } from "./Api.ts"
import { answerTool } from "./answerTool.ts"
import { callTool } from "./callTool.ts"
import type { PendingCalls } from "./PendingCalls.ts"
import { workflowTool } from "./workflowTool.ts"

export interface ServerOptions {
  /** Of the program that serves; clients show it. */
  readonly version: string
  /** Aborted when the server stops: calls that wait for a run are answered, and the run is left in its store. */
  readonly stopping?: AbortSignal
}

const INSTRUCTIONS =
  "Each tool runs a Planloom workflow and gives its outputs. A run that needs a decision waits: its result has the questions and says how to answer."

/** How long a client may keep the list of tools: it changes with the files of the workflows. */
const TOOLS_TTL_MS = 60_000

export const createServer = (
  handle: ApiHandler,
  { stopping, version }: ServerOptions,
  { era }: McpRequestContext,
  calls: PendingCalls,
): Server => {
  const api = new Api(handle)
  const server = new Server(
    { name: "planloom", version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { "tools/list": { ttlMs: TOOLS_TTL_MS, cacheScope: "private" } },
    },
  )
  const elicits = (ctx: ServerContext): boolean => {
    const capabilities =
      era === "modern"
        ? (ctx.mcpReq.envelope as { readonly [key: string]: unknown } | undefined)?.[
            CLIENT_CAPABILITIES_META_KEY
          ]
        : server.getClientCapabilities()
    const { elicitation } = (capabilities ?? {}) as ClientCapabilities
    // Without a mode it means forms.
    return (
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
    )
  }
  server.setRequestHandler("tools/list", async () => ({
    tools: [...(await api.workflows()).map(workflowTool), answerTool],
  }))
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const cancelsOnLoss = era === "modern" && ctx.http !== undefined
    return calls.add(callTool({ api, stopping, elicits: elicits(ctx), cancelsOnLoss }, params, ctx))
  })
  return server
}
