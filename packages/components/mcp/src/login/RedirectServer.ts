/** The address on this machine to which a browser comes back from a login. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"

/** Query of the address that the browser was sent to. */
export interface RedirectAnswer {
  readonly code: string | undefined
  readonly error: string | undefined
  readonly description: string | undefined
  readonly iss: string | undefined
}

export interface RedirectOptions {
  /** Another free one is taken if it is in use; 0 for any. */
  readonly port: number
  /** Answers with another state are those of other logins. */
  readonly state: string
  readonly onStray: () => void
}

const HOST = "127.0.0.1"
const PATH = "/callback"

export class RedirectServer {
  readonly url: string
  private readonly server: Server
  private readonly answered = Promise.withResolvers<RedirectAnswer>()
  private readonly options: RedirectOptions

  private constructor(server: Server, options: RedirectOptions) {
    this.url = redirectUrl((server.address() as { readonly port: number }).port)
    this.server = server
    this.options = options
    server.on("request", (request, response) => this.answer(request, response))
  }

  static async open(options: RedirectOptions): Promise<RedirectServer> {
    const server = createServer()
    const { port } = options
    try {
      await listening(server, port)
    } catch (error) {
      if (port === 0) throw error
      await listening(server, 0)
    }
    return new RedirectServer(server, options)
  }

  /** Waits for the browser. Rejects with the reason of the signal. */
  async wait(signal: AbortSignal): Promise<RedirectAnswer> {
    signal.throwIfAborted()
    const { promise, reject } = Promise.withResolvers<never>()
    const abort = () => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    try {
      return await Promise.race([this.answered.promise, promise])
    } finally {
      signal.removeEventListener("abort", abort)
    }
  }

  close(): void {
    this.server.close()
    this.server.closeIdleConnections()
  }

  private answer({ method, url = "/" }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(URL.canParse(url, this.url) ? url : "/", this.url)
    if (method !== "GET" || pathname !== PATH) return page(response, 404, "There is nothing here.")
    if (searchParams.get("state") !== this.options.state) {
      this.options.onStray()
      return page(response, 400, "This is the answer to another login. Start the login again.")
    }
    const read = (name: string) => searchParams.get(name) ?? undefined
    const answer = {
      code: read("code"),
      error: read("error"),
      description: read("error_description"),
      iss: read("iss"),
    }
    page(
      response,
      200,
      answer.code === undefined
        ? "The login was refused. The terminal says more."
        : "You can close this page. The terminal says whether the login has succeeded.",
    )
    this.answered.resolve(answer)
  }
}

const redirectUrl = (port: number): string => `http://${HOST}:${port}${PATH}`

/** The port of an address that was made here; 0 for any other. */
export const portOf = (redirect: string | undefined): number => {
  const port = redirect !== undefined && URL.canParse(redirect) ? Number(new URL(redirect).port) : 0
  return redirect === redirectUrl(port) ? port : 0
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, HOST, () => {
      server.off("error", reject)
      resolve()
    })
  })

/** Nothing of the request is repeated. */
const page = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  })
  response.end(`Planloom: ${text}\n`)
}
