/** An HTTP server of the tests on a free port, from a function of the web's Request to its Response. */
import { createServer } from "node:http"
import { Readable } from "node:stream"

export interface HttpServer {
  readonly origin: string
  /** Requests so far: method, path and headers. */
  readonly received: Array<{ readonly method: string; readonly headers: Headers }>
  readonly close: () => Promise<void>
}

export const httpServer = async (
  answer: (request: Request) => Promise<Response>,
): Promise<HttpServer> => {
  const received: HttpServer["received"] = []
  const server = createServer((incoming, outgoing) => {
    const { headers, method = "GET", url } = incoming
    const aborted = new AbortController()
    outgoing.on("close", () => aborted.abort())
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      signal: aborted.signal,
      ...(method === "GET"
        ? {}
        : { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    } as RequestInit)
    received.push({ method, headers: request.headers })
    void answer(request).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers))
        for await (const part of response.body ?? []) outgoing.write(part)
        outgoing.end()
      },
      () => outgoing.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
