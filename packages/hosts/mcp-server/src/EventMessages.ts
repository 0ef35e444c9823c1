/** Reads the messages of a stream of server-sent events. */

export interface EventMessage {
  /** `message` unless the stream names it. */
  readonly event: string
  readonly data: string
}

export class EventMessages {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>
  private readonly decoder = new TextDecoder()
  private readonly waiting: Array<EventMessage> = []
  private rest = ""

  constructor(body: ReadableStream<Uint8Array>) {
    this.reader = body.getReader()
  }

  /** Undefined at the end of the stream, also when it was cancelled. */
  async next(): Promise<EventMessage | undefined> {
    while (this.waiting.length === 0) {
      const { done, value } = await this.reader.read()
      if (done) return undefined
      const blocks = (this.rest + this.decoder.decode(value, { stream: true })).split("\n\n")
      this.rest = blocks.pop()!
      for (const block of blocks) {
        const message = messageIn(block)
        if (message !== undefined) this.waiting.push(message)
      }
    }
    return this.waiting.shift()
  }

  /** A pending `next` gets the end of the stream. */
  cancel(): void {
    this.waiting.length = 0
    this.reader.cancel().catch(() => undefined)
  }
}

/** Undefined for a comment, which keeps the connection open. */
const messageIn = (block: string): EventMessage | undefined => {
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/s.exec(line))
  const of = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2]!] : []))
  const data = of("data")
  return data.length === 0
    ? undefined
    : { event: of("event").at(-1) ?? "message", data: data.join("\n") }
}
