/** Streams a run's events as server-sent events, from a sequence number to the run's end. */
import * as Effect from "effect/Effect"
import type { Part, RunEvent, RunStore, StoreFailed } from "@planloom/plugin/effect"
import { Follower } from "@planloom/record/follow"
import { eventsFor, type Caller } from "./Caller.ts"
import type { RunParts } from "./RunParts.ts"

/** Proxies close connections that are idle for longer. */
const KEEP_ALIVE_INTERVAL_MS = 15_000

/**
 * Each event has its sequence number as `id`, so that a disconnected client resumes after the last one it received.
 * Parts of streamed outputs are messages named `part`, without an id: a client that connects again gets the text so far.
 * The last message is named `end`: a client that reconnects after it gets 204, which stops `EventSource`.
 * A user gets the events that are for them, with the same numbers.
 * The stream of a new run is made before the run is recorded, so that all events reach it in memory.
 */
export const eventStream = (
  store: RunStore,
  run: string,
  from: number | "new",
  parts: RunParts | undefined,
  caller: Caller,
): Effect.Effect<Response> =>
  Effect.contextWith((context) =>
    Effect.sync(() => {
      const messages = new Messages(store, run, from, parts, caller)
      const left = new AbortController()
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            const text = await Effect.runPromiseWith(context)(messages.next, {
              signal: left.signal,
            })
            controller.enqueue(encoder.encode(text))
            if (messages.hasEnded) controller.close()
          },
          cancel: () => {
            messages.close()
            left.abort()
          },
        },
        // Nothing is read before the client reads.
        { highWaterMark: 0 },
      )
      return new Response(body, {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      })
    }),
  )

/** The messages of one client. They are made as it reads them. */
class Messages {
  /** Whether the last one has been given out. */
  hasEnded = false
  private readonly store: RunStore
  private readonly run: string
  private readonly parts: RunParts | undefined
  private readonly caller: Caller
  private readonly follower: Follower
  private readonly feed: ReturnType<RunParts["read"]> | undefined
  /** Messages of events. Those of the end wait for the last parts. */
  private events = ""
  /** Epoch milliseconds. */
  private sentAt: number | undefined

  constructor(
    store: RunStore,
    run: string,
    from: number | "new",
    parts: RunParts | undefined,
    caller: Caller,
  ) {
    this.caller = caller
    this.store = store
    this.run = run
    this.parts = parts
    const start = from === "new" ? { isNew: true } : { from }
    this.follower = new Follower(store, run, { ...start, patient: true })
    this.feed = parts?.read(run, this.follower.wake)
  }

  close(): void {
    this.follower.close()
    this.feed?.close()
  }

  /** Text of one or more messages. Fails for a client that has read too little of the parts. */
  readonly next: Effect.Effect<string, StoreFailed | Error> = Effect.gen(
    { self: this },
    function* () {
      const { feed, follower, parts, run, store } = this
      for (;;) {
        for (const event of eventsFor(this.caller, yield* follower.read)) {
          this.events += eventMessage(event)
        }
        if (feed?.isLost === true) {
          this.close()
          return yield* Effect.fail(new Error("the client reads too slowly"))
        }
        const isOver = follower.hasEnded && parts?.isOpen(run) !== true
        let text = ""
        for (const part of feed?.take() ?? []) text += partMessage(part)
        if (isOver) {
          this.close()
          this.hasEnded = true
          const record = (yield* store.show(run)) ?? null
          return `${text}${this.events}event: end\ndata: ${JSON.stringify(record)}\n\n`
        }
        if (!follower.hasEnded) {
          text += this.events
          this.events = ""
        }
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const idle = now - (this.sentAt ??= now)
        if (text === "" && idle >= KEEP_ALIVE_INTERVAL_MS) text = ": keep-alive\n\n"
        if (text !== "") {
          this.sentAt = now
          return text
        }
        yield* follower.pause(KEEP_ALIVE_INTERVAL_MS - idle)
      }
    },
  )
}

const eventMessage = (event: RunEvent): string =>
  `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`

const partMessage = (part: Part): string => `event: part\ndata: ${JSON.stringify(part)}\n\n`
