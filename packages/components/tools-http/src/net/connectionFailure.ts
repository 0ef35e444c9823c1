/** Errors of connections as failures, with what an author can do about them. */
import { HttpFailed } from "../HttpFailed.ts"

export const connectionFailure = (error: unknown, { origin }: URL): HttpFailed => {
  const found = ownFailure(error)
  if (found !== undefined) return found
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException
  if (/^ERR_INVALID_CHAR|^ERR_HTTP_INVALID/.test(code)) {
    return new HttpFailed(
      "invalid_request",
      "a header of the request has a character that headers cannot carry",
    )
  }
  const reason = reasons.find(([codes]) => codes.test(code))
  if (reason !== undefined) {
    const [, kind, words] = reason
    return new HttpFailed(kind, `${origin} ${words} (${code})`)
  }
  return new HttpFailed(
    "unavailable",
    `the request to ${origin} failed${code === "" ? `: ${error instanceof Error ? error.message : String(error)}` : ` (${code})`}`,
  )
}

const reasons: ReadonlyArray<
  readonly [RegExp, "unavailable" | "invalid_output" | "timeout", string]
> = [
  [/^ENOTFOUND|^EAI_/, "unavailable", "cannot be found: its name has no address"],
  [/^ECONNREFUSED|^EHOSTUNREACH|^ENETUNREACH/, "unavailable", "cannot be reached"],
  [/^ETIMEDOUT/, "timeout", "did not accept a connection in time"],
  [/^EPROTO|^ERR_SSL/, "unavailable", "does not answer with TLS; its URL may need http:"],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS/,
    "unavailable",
    "has a certificate that cannot be verified; if it is yours, name the file of its authority in NODE_EXTRA_CA_CERTS",
  ],
  [
    /^ECONNRESET|^EPIPE|^UND_|^ERR_STREAM_PREMATURE_CLOSE|^HPE_/,
    "unavailable",
    "ended the connection before the whole answer arrived",
  ],
  [/^Z_|^ERR__?BROTLI|^ERR_BROTLI/, "invalid_output", "sent an answer that cannot be decompressed"],
]

/** A refusal of the look-up comes inside the errors of a connection, one for each address. */
const ownFailure = (error: unknown, depth = 0): HttpFailed | undefined => {
  if (error instanceof HttpFailed || depth > 3)
    return error instanceof HttpFailed ? error : undefined
  const { cause, errors = [] } = (error ?? {}) as {
    readonly cause?: unknown
    readonly errors?: ReadonlyArray<unknown>
  }
  return [cause, ...errors].reduce<HttpFailed | undefined>(
    (found, one) => found ?? (one === undefined ? undefined : ownFailure(one, depth + 1)),
    undefined,
  )
}
