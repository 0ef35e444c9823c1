/** The server of one connection or request: what it offers of the API, by the methods of the protocol. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ListToolsResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { Api, type ApiHandler, ApiProblem } from "./Api.ts"
import { answerTool } from "./answerTool.ts"
import { callTool } from "./callTool.ts"
import type { PendingCalls } from "./PendingCalls.ts"
import { listRuns, readRun, runTemplates } from "./resources.ts"
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
      capabilities: { tools: {}, resources: {} },
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
  server.setRequestHandler("tools/list", () => rejectable(listTools(api)))
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const cancelsOnLoss = era === "modern" && ctx.http !== undefined
    return calls.add(callTool({ api, stopping, elicits: elicits(ctx), cancelsOnLoss }, params, ctx))
  })
  server.setRequestHandler("resources/list", () => rejectable(listRuns(api)))
  server.setRequestHandler("resources/templates/list", () => runTemplates)
  server.setRequestHandler("resources/read", ({ params }) => rejectable(readRun(api, params.uri)))
  return server
}

const listTools = async (api: Api): Promise<ListToolsResult> => ({
  tools: [...(await api.workflows()).map(workflowTool), answerTool],
})

/** What the API rejects, as an error of the protocol: lists and resources have no other. */
const rejectable = async <A>(reply: Promise<A>): Promise<A> => {
  try {
    return await reply
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.code })
  }
}
