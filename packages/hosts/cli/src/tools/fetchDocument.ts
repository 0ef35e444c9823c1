/** Reads the text at a URL that a person typed: from its own host only, without following redirects elsewhere. */
import { isIP } from "node:net"
import { Transport } from "@planloom/tools-http"
import { doing } from "../terminal/activity.ts"

const TIMEOUT_MS = 30_000
const MAX_BYTES = 50_000_000

export const fetchDocument = async (address: string, signal: AbortSignal): Promise<string> => {
  const url = new URL(address)
  const host = url.hostname.replaceAll(/[[\]]/g, "")
  const transport = new Transport({
    hosts: [url.origin],
    // A person who types localhost or an address means it; a public name does not lead to a private address.
    private: host === "localhost" ? ["127.0.0.0/8", "::1"] : isIP(host) === 0 ? [] : [host],
    methods: ["GET"],
    timeout: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 5,
  })
  doing(`reading ${address}`)
  try {
    const { body, status, statusText } = await transport.send(
      { method: "GET", url, headers: { accept: "application/yaml, application/json, */*;q=0.5" } },
      signal,
    )
    if (status !== 200) throw new Error(`it answered with ${status} ${statusText}`.trim())
    return body.toString()
  } finally {
    transport.close()
  }
}
