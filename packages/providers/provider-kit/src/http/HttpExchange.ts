/** One HTTP request of an SDK: observes the response, and aborts it when it grows too large. */
import { MAX_REPLY_BYTES } from "@planloom/plugin/effect"
import { fetchOnOrigin, RedirectRefused } from "./fetchOnOrigin.ts"
import { ReplyBytes } from "./ReplyBytes.ts"

/** Enough for one sentence and the fields around it. */
const HEAD_BYTES = 4096
const headDecoder = new TextDecoder()
/** Enough for `data: [DONE]` and the line ends around it. */
const TAIL_BYTES = 32
const tailDecoder = new TextDecoder("latin1")

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
    const body = new ReplyBytes(response.headers, this.maxReplyBytes)
    const observed = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          this.recordByte()
          if (this.head.length < HEAD_BYTES) {
            this.head += headDecoder.decode(chunk.subarray(0, HEAD_BYTES))
          }
          this.tail = (this.tail + tailDecoder.decode(chunk.subarray(-TAIL_BYTES))).slice(
            -TAIL_BYTES,
          )
          for (const complete of body.push(chunk)) out.enqueue(complete)
          if (!body.exceedsLimit) return
          this.tooLarge = true
          // Closes the connection; what the SDK has read is lost with it.
          this.abort()
          out.error(new Error(`more than ${this.maxReplyBytes} bytes`))
        },
        flush: (out) => {
          for (const rest of body.rest()) out.enqueue(rest)
        },
      }),
    )
    return new Response(observed, response)
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
