/** One HTTP request of an SDK: observes the response, and aborts it when it grows too large. */
import { MAX_REPLY_BYTES } from "@planloom/plugin/effect"
import { fetchOnOrigin, RedirectRefused } from "./fetchOnOrigin.ts"

/** Enough for one sentence and the fields around it. */
const HEAD_BYTES = 4096
const headDecoder = new TextDecoder()
/** Enough for `data: [DONE]` and the line ends around it. */
const TAIL_BYTES = 32
const tailDecoder = new TextDecoder("latin1")
/** Ratio of a stream's bytes to the text in its parts: fields around every token, keep-alive lines. */
const STREAM_OVERHEAD_FACTOR = 16
const NEW_LINE = 10

export class HttpExchange {
  /** Aborts the request; pass it to the SDK. */
  readonly signal: AbortSignal
  /** Scheme, host and port of the request; undefined before it is sent. */
  origin: string | undefined
  /** Status and headers of the response, once received. */
  response: { readonly status: number; readonly headers: Headers } | undefined
  /** The first characters of the body so far: errors that services report outside their protocol. */
  head = ""
  /** The last characters of the body so far: some services mark the end of a stream only there. */
  tail = ""
  /** Time of the body's latest byte, in milliseconds of the clock; undefined before the first. */
  lastByteAt: number | undefined
  /** Whether the response was aborted because it exceeds `maxReplyBytes`. */
  tooLarge = false
  /** Why a redirect of the service was not followed. */
  redirectRefused: string | undefined
  readonly maxReplyBytes: number
  /** Start of the request, in milliseconds of the same clock. */
  readonly startedAt: number
  /** Resolves with the first byte of the body. */
  readonly firstByte: Promise<void>
  private resolveFirstByte!: () => void
  private readonly controller = new AbortController()
  private readonly now: () => number

  constructor(now: () => number, maxReplyBytes = MAX_REPLY_BYTES) {
    this.now = now
    this.maxReplyBytes = maxReplyBytes
    this.startedAt = now()
    this.signal = this.controller.signal
    this.firstByte = new Promise((resolve) => (this.resolveFirstByte = resolve))
  }

  /** The `fetch` to pass to the SDK: SDKs hide keep-alive bytes, and some also the headers. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    // SDKs pass an address and options; a request object could not be sent again after a redirect.
    if (input instanceof Request) throw new TypeError("fetch takes an address and options")
    this.origin = new URL(input).origin
    const response = await fetchOnOrigin(input, init).catch((error: unknown) => {
      if (error instanceof RedirectRefused) this.redirectRefused = error.message
      throw error
    })
    this.response = { status: response.status, headers: response.headers }
    if (response.body === null) return response
    const exceedsLimit = this.countBytes(response.headers)
    const observed = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          this.recordByte()
          if (exceedsLimit(chunk)) {
            this.tooLarge = true
            // Closes the connection; what the SDK has read is lost with it.
            this.abort()
            return out.error(new Error(`more than ${this.maxReplyBytes} bytes`))
          }
          if (this.head.length < HEAD_BYTES) {
            this.head += headDecoder.decode(chunk.subarray(0, HEAD_BYTES))
          }
          this.tail = (this.tail + tailDecoder.decode(chunk.subarray(-TAIL_BYTES))).slice(
            -TAIL_BYTES,
          )
          out.enqueue(chunk)
        },
      }),
    )
    return new Response(observed, response)
  }

  /**
   * Counts the bytes of a body as SDKs buffer them: after decompression, whole replies to their end and streams line
   * by line. The text in the parts of a stream is counted where the parts are read.
   */
  private countBytes(headers: Headers): (chunk: Uint8Array) => boolean {
    const isStream = headers.get("content-type")?.includes("event-stream") === true
    const maxBodyBytes = this.maxReplyBytes * (isStream ? STREAM_OVERHEAD_FACTOR : 1)
    let bytes = 0
    let lineBytes = 0
    return (chunk) => {
      bytes += chunk.length
      const newLine = isStream ? chunk.lastIndexOf(NEW_LINE) : -1
      lineBytes = newLine < 0 ? lineBytes + chunk.length : chunk.length - newLine - 1
      return bytes > maxBodyBytes || lineBytes > this.maxReplyBytes
    }
  }

  /** The service's id of the request, from the headers that services use for it. */
  get requestId(): string | undefined {
    const headers = this.response?.headers
    return headers?.get("request-id") ?? headers?.get("x-request-id") ?? undefined
  }

  /** Records that a byte of the body arrived. */
  recordByte(): void {
    this.lastByteAt = this.now()
    this.resolveFirstByte()
  }

  abort(): void {
    this.controller.abort()
  }
}
