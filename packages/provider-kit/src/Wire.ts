/** One request on its way: what to give the SDK, what was heard of the answer so far, and its end when it is too large. */
import { MAX_REPLY_BYTES } from "@planloom/plugin"

/** Bytes: enough for a sentence within the fields around it. */
const HEAD = 4096
const begin = new TextDecoder()
/** Bytes: enough for `data: [DONE]` and the line ends around it. */
const TAIL = 32
const end = new TextDecoder("latin1")
/** A stream has so many times the bytes of what its parts hold: fields around every token, signs of life. */
const STREAM_FRAMES = 16
const NEW_LINE = 10

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
  /** Whether the answer was left because it is larger than a reply may be. */
  tooLarge = false
  /** Bytes that a reply may have. */
  readonly most: number
  /** When the request began, on the same clock. */
  readonly opened: number
  /** Resolves with the first byte of the body. */
  readonly first: Promise<void>
  private resolveFirst!: () => void
  private readonly controller = new AbortController()
  private readonly now: () => number

  constructor(now: () => number, most = MAX_REPLY_BYTES) {
    this.now = now
    this.most = most
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
    const isTooMuch = this.measure(response.headers)
    const listened = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          this.hear()
          if (isTooMuch(chunk)) {
            this.tooLarge = true
            // Closes the connection; what the SDK has read is lost with it.
            this.end()
            return out.error(new Error(`more than ${this.most} bytes`))
          }
          if (this.head.length < HEAD) this.head += begin.decode(chunk.subarray(0, HEAD))
          this.tail = (this.tail + end.decode(chunk.subarray(-TAIL))).slice(-TAIL)
          out.enqueue(chunk)
        },
      }),
    )
    return new Response(listened, response)
  }

  /**
   * Counts the bytes of a body as SDKs buffer them: after decompression, whole replies to their end and streams line
   * by line. What the parts of a stream hold is counted where they are read.
   */
  private measure(headers: Headers): (chunk: Uint8Array) => boolean {
    const streams = headers.get("content-type")?.includes("event-stream") === true
    const inAll = this.most * (streams ? STREAM_FRAMES : 1)
    let bytes = 0
    let line = 0
    return (chunk) => {
      bytes += chunk.length
      const newLine = streams ? chunk.lastIndexOf(NEW_LINE) : -1
      line = newLine < 0 ? line + chunk.length : chunk.length - newLine - 1
      return bytes > inAll || line > this.most
    }
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
