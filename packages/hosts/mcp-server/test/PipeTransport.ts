/** The client's end of the two pipes of a stdio server: each message is a line. */
import type { Readable, Writable } from "node:stream"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"

export class PipeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  private readonly from: Readable
  private readonly to: Writable
  private rest = ""

  constructor(from: Readable, to: Writable) {
    this.from = from
    this.to = to
  }

  start(): Promise<void> {
    this.from.on("data", (data: Buffer) => {
      const lines = (this.rest + data.toString()).split("\n")
      this.rest = lines.pop()!
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage)
    })
    this.from.on("close", () => this.onclose?.())
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.to.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.to.end()
    this.onclose?.()
    return Promise.resolve()
  }
}
