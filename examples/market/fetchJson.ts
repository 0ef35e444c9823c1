/** Requests to a public API, whose failures all have a reason. */
import { ApiFailed } from "./ApiFailed.ts"
import { membersOf, textOf } from "./members.ts"

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 8_000_000

export interface Api {
  /** In reasons. */
  readonly name: string
  readonly base: string
  /** Milliseconds for the answer with its body. */
  readonly timeout: number
}

/** The base URL is the environment variable's, else the public one; `MARKET_TIMEOUT_MS` replaces the timeout. */
export const apiOf = (name: string, variable: string, base: string): Api => ({
  name,
  base: (process.env[variable] || base).replace(/\/$/, ""),
  timeout: Number(process.env["MARKET_TIMEOUT_MS"]) || TIMEOUT_MS,
})

/** Reasons name the API and never the address, whose query may have a key. */
export const fetchJson = async (
  { base, name, timeout }: Api,
  path: string,
  init: RequestInit = {},
): Promise<unknown> => {
  const { status, text } = await fetch(`${base}${path}`, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
    signal: AbortSignal.timeout(timeout),
  })
    .then(async (response) => ({ status: response.status, text: await bodyOf(response, name) }))
    .catch((cause: unknown) => {
      throw failed(name, cause, timeout)
    })
  if (status === 429) throw new ApiFailed(`${name} has too many requests (429): try again later`)
  const value = parsed(text)
  if (status >= 400) {
    throw new ApiFailed(`${name} failed with status ${status}${reasonOf(value)}`)
  }
  if (value === undefined) throw new ApiFailed(`${name} gave no JSON`)
  return value
}

const bodyOf = async (response: Response, name: string): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new ApiFailed(`${name} gave more than 8 MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const failed = (name: string, cause: unknown, timeout: number): ApiFailed => {
  if (cause instanceof ApiFailed) return cause
  if (cause instanceof DOMException && cause.name === "TimeoutError") {
    return new ApiFailed(`${name} did not answer within ${timeout} ms`)
  }
  const code = (cause as { readonly cause?: { readonly code?: unknown } }).cause?.code
  return new ApiFailed(`${name} cannot be reached${typeof code === "string" ? ` (${code})` : ""}`, {
    cause,
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the body of a failure says, if it says something. */
const reasonOf = (value: unknown): string => {
  const { error, message } = membersOf(value)
  const reason = textOf(error) || textOf(membersOf(error)["message"]) || textOf(message)
  return reason === "" ? "" : `: ${reason}`
}
