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
import { AskedQuestions } from "./AskedQuestions.ts"
import { callLegacy } from "./callLegacy.ts"
import { callTool } from "./callTool.ts"
import { PendingCalls } from "./PendingCalls.ts"
import { listRuns, readRun, runTemplates } from "./resources.ts"
import { serveTasks, TASKS_EXTENSION } from "./tasks.ts"
import { workflowTool } from "./workflowTool.ts"

export interface ServerOptions {
  /** Of the program that serves; clients show it. */
  readonly version: string
  /** Aborted when the server stops: calls that wait for a run are answered, and the run is left in its store. */
  readonly stopping?: AbortSignal
  /** Receives unexpected errors. The client learns nothing of their details. */
  readonly onDefect?: (error: unknown) => void
}

const INSTRUCTIONS =
  "Each tool runs a Planloom workflow and gives its outputs. A run that needs a decision waits: its result has the questions and says how to answer."

/** Time for which a client may keep the list of tools: it changes with the files of the workflows. */
const TOOLS_TTL_MS = 60_000

/** The state that the servers of one connection or endpoint share. */
export interface SharedState {
  readonly calls: PendingCalls
  readonly asked: AskedQuestions
}

export const newState = (): SharedState => ({
  calls: new PendingCalls(),
  asked: new AskedQuestions(),
})

export const createServer = (
  handle: ApiHandler,
  { onDefect, stopping, version }: ServerOptions,
  { era }: Pick<McpRequestContext, "era">,
  { asked, calls }: SharedState,
): Server => {
  const api = new Api(handle)
  const server = new Server(
    { name: "planloom", version },
    {
      capabilities: {
        tools: {},
        resources: {},
        ...(era === "modern" ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
      },
      instructions: INSTRUCTIONS,
      inputRequired: { legacyShim: false },
      cacheHints: { "tools/list": { ttlMs: TOOLS_TTL_MS, cacheScope: "private" } },
    },
  )
  /** Converts rejections by the API to errors of the protocol: lists and resources have no other. Unexpected errors stay here. */
  const guarded = async <A>(reply: Promise<A>): Promise<A> => {
    try {
      return await reply
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const { InternalError } = ProtocolErrorCode
      if (error instanceof ApiProblem) {
        throw new ProtocolError(InternalError, error.message, { code: error.code })
      }
      onDefect?.(error)
      throw new ProtocolError(InternalError, "Internal error: see the server's log")
    }
  }
  const capabilitiesOf = (ctx: ServerContext): ClientCapabilities =>
    ((era === "modern"
      ? (ctx.mcpReq.envelope as { readonly [key: string]: unknown } | undefined)?.[
          CLIENT_CAPABILITIES_META_KEY
        ]
      : server.getClientCapabilities()) ?? {}) as ClientCapabilities
  const elicits = (ctx: ServerContext): boolean => {
    const { elicitation } = capabilitiesOf(ctx)
    // Without a mode it means forms.
    return (
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
    )
  }
  const takesTasks = (ctx: ServerContext): boolean =>
    era === "modern" && capabilitiesOf(ctx).extensions?.[TASKS_EXTENSION] !== undefined
  server.setRequestHandler("tools/list", () => guarded(listTools(api)))
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const cancelsOnLoss = era === "modern" && ctx.http !== undefined
    const client = { elicits: elicits(ctx), takesTasks: takesTasks(ctx), cancelsOnLoss }
    const call = era === "modern" ? callTool : callLegacy
    return calls.add(guarded(call({ api, stopping, ...client }, params, ctx)))
  })
  server.setRequestHandler("resources/list", () => guarded(listRuns(api)))
  server.setRequestHandler("resources/templates/list", () => runTemplates)
  server.setRequestHandler("resources/read", ({ params }) => guarded(readRun(api, params.uri)))
  if (era === "modern") serveTasks(server, { api, asked, elicits, guarded, takesTasks })
  return server
}

const listTools = async (api: Api): Promise<ListToolsResult> => ({
  tools: [...(await api.workflows()).map(workflowTool), answerTool],
})
