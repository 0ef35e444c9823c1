/** Lines of a stream, whatever the chunks they come in, and what is left of them. */
import { assert, describe, it } from "@effect/vitest"
import { ReplyBytes } from "./ReplyBytes.ts"

const events = new Headers({ "content-type": "text/event-stream" })
const stream = "\n: ping\n\nevent: a\ndata: 1\n: ping\n\n\n: x\r\n\r\ndata: é\r\n\r\ndata: rest"
const left = "event: a\ndata: 1\n\ndata: é\r\n\r\ndata: rest"

/** What an SDK reads of chunks of this size. */
const readIn = (size: number, maxBytes = 1000): ReadonlyArray<string> => {
  const body = new ReplyBytes(events, maxBytes)
  const bytes = Buffer.from(stream)
  const read: Array<string> = []
  for (let at = 0; at < bytes.length; at += size) {
    const some = body.push(bytes.subarray(at, at + size))
    if (some.length > 0) read.push(Buffer.concat(some).toString())
  }
  assert.isFalse(body.exceedsLimit)
  return [...read, Buffer.concat(body.rest()).toString()]
}

describe("a stream", () => {
  it("loses comments and blank lines that end no event, in chunks of any size", () => {
    for (let size = 1; size <= stream.length; size++) {
      assert.strictEqual(readIn(size).join(""), left, `in chunks of ${size}`)
    }
  })

  it("is passed on in whole lines", () => {
    const lines = readIn(3).slice(0, -1)
    assert.isTrue(lines.every((text) => text.endsWith("\n")))
  })
})

describe("the limit of a stream", () => {
  const exceeded = (text: string) => {
    const body = new ReplyBytes(events, 100)
    body.push(Buffer.from(text))
    return body.exceedsLimit
  }

  it.each([
    ["one line", "x", 100],
    ["lines without data", ":\n", 50],
    ["blank lines", "\n", 100],
    ["lines with data", "d\n", 800],
  ] as const)("counts %s", (_, text, most) => {
    assert.isFalse(exceeded(text.repeat(most)))
    assert.isTrue(exceeded(text.repeat(most + 1)))
  })
})
