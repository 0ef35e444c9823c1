/** Errors of the SDK → failures with a class and one sentence. */
import type { FailureClass, Json } from "@planloom/plugin/effect"
import { cleanJson } from "../cleanJson.ts"
import { cleanLine } from "@planloom/plugin/clean"
import { McpFailed } from "../McpFailed.ts"
import type { Hide } from "./hideSecrets.ts"

const MAX_MESSAGE_CHARS = 2000

/** Codes of JSON-RPC and the protocol for requests that fail again. */
const refusedRequests = new Set([-32_600, -32_601, -32_602, -32_700, -32_020, -32_021, -32_022])

interface SdkFailure {
  readonly code?: unknown
  readonly message: string
  readonly data?: unknown
  readonly status?: number
}

/** `about` names the server for the sentence. Without secrets. */
export const failureOf = (error: unknown, about: string, hide: Hide): McpFailed => {
  if (error instanceof McpFailed) return error
  const { code, data, message, status } = (
    error instanceof Error ? error : { message: String(error) }
  ) as SdkFailure
  const said = cleanLine(hide(message.replace(/^MCP error -?\d+: /, "")), MAX_MESSAGE_CHARS)
  if (typeof code === "number") {
    return new McpFailed(
      refusedRequests.has(code) ? "invalid_request" : "tool_error",
      `${about}: ${said}`,
      { detail: { code, ...(data === undefined ? {} : { data: cleanJson(data as Json, hide) }) } },
    )
  }
  if (status !== undefined) {
    return new McpFailed(
      classOfStatus(status),
      `${about} answered with status ${status}: ${said}`,
      { detail: { status } },
    )
  }
  return new McpFailed(byCode[String(code)] ?? "unavailable", `${about}: ${said}`)
}

const byCode: { readonly [code: string]: FailureClass } = {
  REQUEST_TIMEOUT: "timeout",
  INVALID_RESULT: "invalid_output",
  UNSUPPORTED_RESULT_TYPE: "invalid_output",
  CAPABILITY_NOT_SUPPORTED: "invalid_request",
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: "invalid_request",
}

const classOfStatus = (status: number): FailureClass => {
  if (status === 401 || status === 403) return "auth"
  if (status === 429) return "rate_limit"
  if (status === 408 || status === 504) return "timeout"
  return status >= 500 || status === 404 ? "unavailable" : "invalid_request"
}
