/** One request on its way: what to give the SDK, and what was heard of the answer so far. */

/** Bytes: enough for a sentence within the fields around it. */
const HEAD = 4096
const begin = new TextDecoder()
/** Bytes: enough for `data: [DONE]` and the line ends around it. */
const TAIL = 32
const end = new TextDecoder("latin1")

export class Wire {
  /** Ends the request; to be given to the SDK. */
  readonly signal: AbortSignal
  /** Scheme, host and port that were asked; undefined before. */
  origin: string | undefined
  /** Status and headers of the answer, once they are there. */
  answered: { readonly status: number; readonly headers: Headers } | undefined
  /** The first characters of the body so far, for what services say outside their protocol. */
  head = ""
  /** The last characters of the body so far: some services say only there that a stream has ended. */
  tail = ""
  /** When a byte of the body last came, in milliseconds of the clock; undefined before the first. */
  heard: number | undefined
  /** When the request began, on the same clock. */
  readonly opened: number
  /** Resolves with the first byte of the body. */
  readonly first: Promise<void>
  private resolveFirst!: () => void
  private readonly controller = new AbortController()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
    this.opened = now()
    this.signal = this.controller.signal
    this.first = new Promise((resolve) => (this.resolveFirst = resolve))
  }

  /** To be given to the SDK as its `fetch`: SDKs swallow signs of life, and some also the headers. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.origin = new URL(input instanceof Request ? input.url : input).origin
    const response = await globalThis.fetch(input, init)
    this.answered = { status: response.status, headers: response.headers }
    if (response.body === null) return response
    const listened = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          this.hear()
          if (this.head.length < HEAD) this.head += begin.decode(chunk.subarray(0, HEAD))
          this.tail = (this.tail + end.decode(chunk.subarray(-TAIL))).slice(-TAIL)
          out.enqueue(chunk)
        },
      }),
    )
    return new Response(listened, response)
  }

  /** The service's own name of the request, under the headers that services tell it in. */
  get requestId(): string | undefined {
    const headers = this.answered?.headers
    return headers?.get("request-id") ?? headers?.get("x-request-id") ?? undefined
  }

  /** A sign of life came. */
  hear(): void {
    this.heard = this.now()
    this.resolveFirst()
  }

  end(): void {
    this.controller.abort()
  }
}
