/** A local API: each path answers in one way, and every request is kept. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Answer = (
  request: Received,
  response: ServerResponse,
  origin: string,
) => void | Promise<void>

export interface ApiServer {
  readonly origin: string
  readonly port: number
  readonly received: Array<Received>
  readonly close: () => Promise<void>
}

/** `answers` are by path without query; another path is answered with 404. */
export const apiServer = async (answers: {
  readonly [path: string]: Answer
}): Promise<ApiServer> => {
  const received: Array<Received> = []
  const server = createServer(async (incoming, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { headers, method = "", url = "" } = incoming
    const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    const answer = answers[url.split("?")[0]!] ?? answers["*"]
    if (answer === undefined) response.writeHead(404).end()
    else await answer(one, response, origin)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers with a value as JSON. */
export const json =
  (value: unknown, status = 200, headers: { readonly [name: string]: string } = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(value))
