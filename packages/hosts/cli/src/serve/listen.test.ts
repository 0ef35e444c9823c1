/** Clients that leave a request unfinished: the server closes their connections. */
import { once } from "node:events"
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, expect, it } from "vitest"
import { listen } from "./listen.ts"

const scope = Scope.makeUnsafe()
const seen: Array<string | undefined> = []
let port: number

beforeAll(async () => {
  const listening = listen({
    host: "127.0.0.1",
    port: 0,
    limits: { headers: 100, request: 200, idle: 100, check: 20, connections: 2 },
    handle: async (request, { address }) => {
      seen.push(address)
      return new Response(await request.text().catch(() => "the body was cut"))
    },
  })
  port = await Effect.runPromise(Scope.provide(listening, scope))
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** What the server replies to the text until it closes the connection. */
const reply = async (text: string): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  let received = ""
  socket.on("data", (data) => (received += data.toString()))
  socket.on("error", () => undefined)
  if (text !== "") socket.write(text)
  await new Promise((closed) => socket.on("close", closed))
  return received
}

it.each([
  ["half headers", "GET / HTTP/1.1\r\nhost: x\r\n", "408"],
  ["half a body", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf", "408"],
  ["nothing", "", "408"],
  ["a whole request, and then nothing", "GET / HTTP/1.1\r\nhost: x\r\n\r\n", "200"],
])("a client that sends %s is disconnected", async (_, text, status) => {
  expect(await reply(text)).toContain(`HTTP/1.1 ${status}`)
})

it("a reply that is not a stream is sent whole, with its length", async () => {
  const sent = await reply("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 6\r\n\r\n12345\n")
  expect(sent).toMatch(/^content-length: 6\r$/m)
  expect(sent).not.toMatch(/transfer-encoding/i)
  expect(sent.endsWith("\r\n\r\n12345\n")).toBe(true)
})

it("a connection above the limit is closed without a reply", async () => {
  const open = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")]
  await Promise.all(open.map((socket) => once(socket, "connect")))
  expect(await reply("GET / HTTP/1.1\r\nhost: x\r\n\r\n")).toBe("")
  for (const socket of open) socket.destroy()
})

it("a handler gets the address of the client", () => {
  expect(seen).toContain("127.0.0.1")
})

it("a server that stops sends the last messages of event streams, and cuts streams that go on", async () => {
  const own = Scope.makeUnsafe()
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>()
  const text = (data: string) => new TextEncoder().encode(`data: ${data}\n\n`)
  const listening = listen({
    host: "127.0.0.1",
    port: 0,
    handle: async ({ url }) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            streams.set(new URL(url).pathname, controller)
            controller.enqueue(text("first"))
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      ),
  })
  const at = await Effect.runPromise(Scope.provide(listening, own))
  const [ending, endless] = await Promise.all(
    ["/ending", "/endless"].map(async (path) => fetch(`http://127.0.0.1:${at}${path}`)),
  )
  const cut = endless!.text().then(
    () => "whole",
    () => "cut",
  )
  const closing = Effect.runPromise(Scope.close(own, Exit.void))
  streams.get("/ending")!.enqueue(text("last"))
  streams.get("/ending")!.close()
  expect(await ending!.text()).toBe("data: first\n\ndata: last\n\n")
  expect(await cut).toBe("cut")
  await closing
})
