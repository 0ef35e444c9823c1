/** Servers that send more than a reply, to every provider on an SDK: the failure, and when the connection is closed. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { Effect, Stream } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import type { Host, ModelFailed, ModelRequest, Provider } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"

const host: Host = { root: ".", secret: () => "not-a-real-key" }
const LIMIT_BYTES = 65_536
/** What the buffers of two sockets on one machine may hold beyond what was read. */
const SLACK_BYTES = 16 * 1024 * 1024

const providerOf = async (
  plugin: typeof anthropicPlugin,
  config: unknown,
  id: string,
): Promise<Provider> => {
  const { providers = [] } = await Effect.runPromise(Effect.scoped(plugin.setup!(config, host)))
  return providers.find((provider) => provider.id === id)!
}

/** Per wire format: a provider, a reply's beginning and end around its text, and an event of a stream with a text. */
const formats = {
  anthropic: {
    make: (url: string, limits: object) =>
      providerOf(anthropicPlugin, { base_url: url, ...limits }, "anthropic"),
    around: ['{"type":"message","role":"assistant","content":[{"type":"text","text":"', '"}]}'],
    event: (text: string) =>
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}\n\n`,
  },
  google: {
    make: (url: string, limits: object) =>
      providerOf(googlePlugin, { base_url: url, ...limits }, "google"),
    around: ['{"candidates":[{"content":{"parts":[{"text":"', '"}]},"finishReason":"STOP"}]}'],
    event: (text: string) =>
      `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"${text}"}]}}]}\n\n`,
  },
  openai: {
    make: (url: string, limits: object) =>
      providerOf(openaiPlugin, { servers: { openai: { base_url: url, ...limits } } }, "openai"),
    around: [
      '{"choices":[{"message":{"role":"assistant","content":"',
      '"},"finish_reason":"stop"}]}',
    ],
    event: (text: string) =>
      `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`,
  },
} as const
const names = Object.keys(formats) as ReadonlyArray<keyof typeof formats>

const open: Array<Server> = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Sending {
  readonly url: string
  /** Bytes handed to the socket by the time the client had closed it. */
  readonly sent: Promise<number>
}

const serving = async (
  answer: (response: ServerResponse, write: (text: string | Buffer) => Promise<boolean>) => void,
): Promise<Sending> => {
  let resolveSent: (bytes: number) => void
  const sent = new Promise<number>((resolve) => (resolveSent = resolve))
  const server = createServer((request: IncomingMessage, response) => {
    let bytes = 0
    let closed = false
    let drained: () => void = () => undefined
    response.on("drain", () => drained())
    response.on("error", () => undefined)
    response.on("close", () => {
      closed = true
      drained()
      resolveSent(bytes)
    })
    // False once the client is gone.
    const write = async (data: string | Buffer): Promise<boolean> => {
      if (closed) return false
      bytes += data.length
      if (!response.write(data)) await new Promise<void>((resolve) => (drained = resolve))
      return !closed
    }
    request.resume().on("end", () => answer(response, write))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}

const endless = async (write: (text: string) => Promise<boolean>, text: string): Promise<void> => {
  const some = text.repeat(Math.ceil(16_384 / text.length))
  while (await write(some));
}

const request: ModelRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", content: "?" }],
}

const failureOf = (provider: Provider, streams: boolean): Promise<ModelFailed> =>
  Effect.runPromise(
    Effect.flip<unknown, ModelFailed, never>(
      streams ? Stream.runDrain(provider.stream!(request)) : provider.generate!(request),
    ),
  )

const head = { json: "application/json", events: "text/event-stream" } as const

describe.each(names)("a reply of %s that has no end", (name) => {
  const { around, event, make } = formats[name]
  const limits = { max_reply_bytes: LIMIT_BYTES }

  const cases = {
    "as one JSON text": { type: head.json, begin: around[0], text: "a", most: LIMIT_BYTES },
    "as events with text": {
      type: head.events,
      begin: "",
      text: event("a".repeat(500)),
      most: 16 * LIMIT_BYTES,
    },
    "as one line of a stream": { type: head.events, begin: "data: ", text: "a", most: LIMIT_BYTES },
    "as signs of life alone": {
      type: head.events,
      begin: "",
      text: ": ping\n\n",
      most: LIMIT_BYTES,
    },
  }
  it.each(Object.keys(cases) as ReadonlyArray<keyof typeof cases>)(
    "%s, is left at the limit with too_large",
    async (kind) => {
      const { begin, most, text, type } = cases[kind]
      const server = await serving((response, write) => {
        response.writeHead(200, { "content-type": type })
        void write(begin).then(() => endless(write, text))
      })
      const provider = await make(server.url, limits)
      const failure = await failureOf(provider, type === head.events)
      assert.strictEqual(failure.class, "too_large")
      assert.include(failure.message, "larger than 65536 bytes")
      assert.isTrue(failure.usage?.estimated)
      assert.isAtMost(await server.sent, most + SLACK_BYTES)
    },
  )

  it("after an error's status, stays that error", async () => {
    const server = await serving((response, write) => {
      response.writeHead(500, { "content-type": "text/plain" })
      void endless(write, "oops ")
    })
    const failure = await failureOf(await make(server.url, limits), false)
    assert.strictEqual(failure.class, "unavailable")
    assert.isAtMost(await server.sent, LIMIT_BYTES + SLACK_BYTES)
  })

  it("is counted after decompression", async () => {
    const packed = gzipSync(around[0] + "a".repeat(32 * 1024 * 1024) + around[1])
    assert.isBelow(packed.length, LIMIT_BYTES)
    const server = await serving((response) => {
      response.writeHead(200, { "content-type": head.json, "content-encoding": "gzip" })
      response.end(packed)
    })
    const failure = await failureOf(await make(server.url, limits), false)
    assert.strictEqual(failure.class, "too_large")
  })

  it("but one just below the limit is read", async () => {
    const text = "a".repeat(LIMIT_BYTES - around.join("").length)
    const server = await serving((response) => {
      response.writeHead(200, { "content-type": head.json })
      response.end(around[0] + text + around[1])
    })
    const provider = await make(server.url, limits)
    const read = await Effect.runPromise(provider.generate!(request))
    assert.strictEqual(read.text.length, text.length)
    assert.strictEqual(provider.maxReplyBytes, LIMIT_BYTES)
  })
})
