/** Replies that harm a client which trusts them, in three wire formats: what a hostile or broken service sends. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createGzip } from "node:zlib"

const MB = 1_000_000
export const GIANT_BYTES = 200 * MB
/** Below the default of `max_reply_bytes`. */
const LARGE_BYTES = 7 * MB
const PIECE = "a".repeat(16_000)
const DRIP_MS = 100

/** Per format: a whole reply around its text, the events of a stream, and its end. */
export const formats = {
  anthropic: {
    whole: [
      '{"id":"1","type":"message","role":"assistant","model":"m","usage":{"input_tokens":1,"output_tokens":1},"stop_reason":"end_turn","content":[{"type":"text","text":"',
      '"}]}',
    ],
    begin:
      'event: message_start\ndata: {"type":"message_start","message":{"id":"1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    event: (text: string) =>
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}\n\n`,
    end: 'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
  google: {
    whole: [
      '{"candidates":[{"content":{"role":"model","parts":[{"text":"',
      '"}]},"finishReason":"STOP"}]}',
    ],
    begin: "",
    event: (text: string) =>
      `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"${text}"}]}}]}\n\n`,
    end: 'data: {"candidates":[{"content":{"role":"model","parts":[]},"finishReason":"STOP"}]}\n\n',
  },
  openai: {
    whole: [
      '{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"',
      '"},"finish_reason":"stop"}]}',
    ],
    begin: "",
    event: (text: string) =>
      `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`,
    end: 'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  },
} as const
export type Format = keyof typeof formats

/** What a run makes of it: the class of its failure, or its success. */
export const outcomes = {
  giant: "too_large",
  giant_line: "too_large",
  endless: "too_large",
  endless_pings: "too_large",
  compressed: "too_large",
  slow: "timeout",
  stalled: "timeout",
  dripping: "timeout",
  cut: "unavailable",
  web_page: "unavailable",
  binary: "unavailable",
  deep: "unavailable",
  other_shape: "unavailable",
  empty: "unavailable",
  large: "succeeded",
} as const
export type Reply = keyof typeof outcomes

interface Asked {
  readonly format: Format
  readonly streams: boolean
  readonly response: ServerResponse
  /** Resolves once the socket takes more; false when the client is gone. */
  readonly write: (data: string | Buffer) => Promise<boolean>
}

const repeat = async ({ write }: Asked, text: string, bytes: number): Promise<boolean> => {
  for (let sent = 0; sent < bytes; sent += text.length) if (!(await write(text))) return false
  return true
}

/** A reply of this many bytes of text, complete. */
const complete = async (asked: Asked, bytes: number): Promise<void> => {
  const { begin, end, event, whole } = formats[asked.format]
  await asked.write(asked.streams ? begin : whole[0])
  await repeat(asked, asked.streams ? event(PIECE) : PIECE, bytes)
  asked.response.end(asked.streams ? end : whole[1])
}

const raw =
  (body: string | Buffer, type?: string) =>
  ({ response }: Asked): void => {
    if (type !== undefined) response.setHeader("content-type", type)
    response.end(body)
  }

const senders: { readonly [reply in Reply]: (asked: Asked) => unknown } = {
  giant: (asked) => complete(asked, GIANT_BYTES),
  giant_line: async (asked) => {
    await asked.write(asked.streams ? "data: " : formats[asked.format].whole[0])
    await repeat(asked, PIECE, GIANT_BYTES)
    asked.response.end()
  },
  endless: (asked) => complete(asked, Infinity),
  endless_pings: async (asked) => {
    await repeat(asked, asked.streams ? ": ping\n\n".repeat(2000) : " ".repeat(16_000), Infinity)
  },
  compressed: (asked) => {
    const { response } = asked
    response.setHeader("content-encoding", "gzip")
    const packed = createGzip()
    packed.pipe(response)
    response.on("close", () => packed.destroy())
    const write = (data: string | Buffer): Promise<boolean> =>
      new Promise((resolve) =>
        packed.write(data, () => resolve(!response.closed && !packed.destroyed)),
      )
    return complete({ ...asked, write }, GIANT_BYTES)
  },
  slow: () => undefined,
  stalled: ({ format, streams, write }) =>
    write(streams ? formats[format].begin + formats[format].event("a") : formats[format].whole[0]),
  dripping: async (asked) => {
    const { event, whole } = formats[asked.format]
    await asked.write(asked.streams ? formats[asked.format].begin : whole[0])
    while (await asked.write(asked.streams ? event("a") : "a")) {
      await new Promise((resolve) => setTimeout(resolve, DRIP_MS))
    }
  },
  cut: async ({ format, response, streams, write }) => {
    const { begin, event, whole } = formats[format]
    await write(streams ? begin + event("a") : whole[0])
    response.destroy()
  },
  web_page: raw("<!doctype html><title>Sign in</title>", "text/html"),
  binary: raw(Buffer.from(Uint8Array.from({ length: 65_536 }, (_, index) => index % 251))),
  deep: ({ response, streams }) =>
    response.end(`${streams ? "data: " : ""}${"[".repeat(MB)}${streams ? "\n\n" : ""}`),
  other_shape: ({ response, streams }) => response.end(streams ? "data: [1]\n\n" : "[1]"),
  empty: raw(""),
  large: (asked) => complete(asked, LARGE_BYTES),
}

/** A service that answers as the name of the model says. */
export const hostileServer = async (): Promise<{
  readonly url: string
  readonly close: () => void
}> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const url = request.url!
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly model?: string
        readonly stream?: boolean
      }
      const google = /models\/(\w+):(\w+)/.exec(url)
      const format = google ? "google" : url.endsWith("/messages") ? "anthropic" : "openai"
      const streams = body.stream === true || google?.[2] === "streamGenerateContent"
      const reply = (google?.[1] ?? body.model) as Reply
      let drained = (): void => undefined
      response.on("drain", () => drained())
      response.on("error", () => undefined)
      response.on("close", () => drained())
      const write = async (data: string | Buffer): Promise<boolean> => {
        if (response.destroyed) return false
        if (!response.write(data)) await new Promise<void>((resolve) => (drained = resolve))
        return !response.destroyed
      }
      response.setHeader("content-type", streams ? "text/event-stream" : "application/json")
      senders[reply]({ format, streams, response, write })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
