/** The endpoint of streamable HTTP: each request is one message, of either era of the protocol. */
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpRequestContext,
  readRequestBody,
} from "@modelcontextprotocol/server"
import type { ApiHandler } from "./Api.ts"
import { createServer, newState } from "./createServer.ts"
import { type HttpCaller, type HttpOptions, rejection } from "./Http.ts"
import { Sessions } from "./Sessions.ts"

export type HttpEndpoint = (request: Request, caller: HttpCaller) => Promise<Response>

const MAX_BODY_BYTES = 1024 * 1024

/** Checks neither host, origin nor token: the server of the API has. */
export const httpEndpoint = (options: HttpOptions): HttpEndpoint => {
  const { maxBody = MAX_BODY_BYTES } = options
  const state = newState()
  const stateless = createMcpHandler(
    (context) => createServer(apiOf(context), options, context, state),
    // A stream keeps proxies from closing the connection of a long call.
    { responseMode: "sse" },
  )
  const sessions = new Sessions(options)
  return async (request, caller) => {
    const session = request.headers.get("mcp-session-id")
    if (request.method !== "POST") {
      return session === null
        ? stateless.fetch(request)
        : sessions.handle(session, request, caller, undefined)
    }
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return rejection(
        415,
        -32_000,
        "Unsupported Media Type: Content-Type must be application/json",
      )
    }
    const body = await readBody(request, maxBody)
    if (body instanceof Response) return body
    if (await isLegacyRequest(request, body)) {
      if (session !== null) return sessions.handle(session, request, caller, body)
      if (isInitializeRequest(body)) return sessions.open(request, caller, body)
    }
    return stateless.fetch(request, {
      parsedBody: body,
      authInfo: { token: "", clientId: caller.id, scopes: [], extra: { api: caller.api } },
    })
  }
}

const apiOf = ({ authInfo }: McpRequestContext): ApiHandler => authInfo!.extra!["api"] as ApiHandler

const readBody = async (request: Request, maxBody: number): Promise<object | Response> => {
  let body: unknown
  try {
    const read = await readRequestBody(request, maxBody)
    if (read.tooLarge) return rejection(413, -32_000, `The body may have at most ${maxBody} bytes`)
    body = JSON.parse(read.text)
  } catch {
    return rejection(400, -32_700, "Parse error: the body is not valid JSON")
  }
  // A batch would count as one request in the limit of its client.
  return typeof body !== "object" || body === null || Array.isArray(body)
    ? rejection(400, -32_600, "Invalid Request: the body must be one JSON-RPC message")
    : body
}
