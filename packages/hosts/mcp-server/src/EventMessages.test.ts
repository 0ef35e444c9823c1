/** Server-sent events arrive in any chunks. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { EventMessages, type EventMessage } from "./EventMessages.ts"

const stream = (chunks: ReadonlyArray<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

const all = async (messages: EventMessages): Promise<ReadonlyArray<EventMessage>> => {
  const read: Array<EventMessage> = []
  for (let next = await messages.next(); next !== undefined; next = await messages.next()) {
    read.push(next)
  }
  return read
}

const message = fc.record({ event: fc.constantFrom("message", "part", "end"), data: fc.json() })

it("gives the same messages however their bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(message, fc.constant(undefined))),
      fc.array(fc.nat(200)),
      async (sent, cuts) => {
        const text = sent
          .map((one, id) =>
            one === undefined
              ? ": keep-alive\n\n"
              : `id: ${id}\n${one.event === "message" ? "" : `event: ${one.event}\n`}data: ${one.data}\n\n`,
          )
          .join("")
        const bytes = new TextEncoder().encode(text)
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
          (a, b) => a - b,
        )
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index]!, end))
        expect(await all(new EventMessages(stream(chunks)))).toEqual(
          sent.filter((one) => one !== undefined),
        )
      },
    ),
    { numRuns: cases(100) },
  )
})

it("ends when it is cancelled, also while it waits", async () => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      cancelled = true
    },
  })
  const messages = new EventMessages(body)
  const next = messages.next()
  messages.cancel()
  expect(await next).toBeUndefined()
  expect(cancelled).toBe(true)
})
