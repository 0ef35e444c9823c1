/** Streams a run's events as server-sent events, from a sequence number to the run's end. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Part, RunEvent, RunStore } from "@planloom/plugin/effect"
import { follow } from "@planloom/record/follow"
import type { RunParts } from "./RunParts.ts"

/** Proxies close connections that are idle for longer. */
const KEEP_ALIVE_INTERVAL = "15 seconds"

/**
 * Each event has its sequence number as `id`, so that a disconnected client resumes after the last one it received.
 * Parts of streamed outputs are messages named `part`, without an id: a client that connects again gets the text so far.
 * The last message is named `end`: a client that reconnects after it gets 204, which stops `EventSource`.
 */
export const eventStream = (
  store: RunStore,
  run: string,
  from: number,
  parts: RunParts | undefined,
): Effect.Effect<Response> =>
  Effect.map(
    Stream.toReadableStreamEffect(
      Stream.encodeText(
        Stream.merge(
          Stream.concat(
            withParts(run, Stream.map(follow(store, run, { from, patient: true }), message), parts),
            Stream.fromEffect(
              Effect.map(
                store.show(run),
                (record) => `event: end\ndata: ${JSON.stringify(record ?? null)}\n\n`,
              ),
            ),
          ),
          Stream.map(Stream.tick(KEEP_ALIVE_INTERVAL), () => ": keep-alive\n\n"),
          { haltStrategy: "left" },
        ),
      ),
    ),
    (body) =>
      new Response(body, {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      }),
  )

const message = (event: RunEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`

/** Ends with the events, after all parts; fails for a client that has read too little of them. */
const withParts = <E>(
  run: string,
  events: Stream.Stream<string, E>,
  parts: RunParts | undefined,
): Stream.Stream<string, E | Error> =>
  parts === undefined
    ? events
    : Stream.suspend(() => {
        const feed = parts.read(run)
        const texts = Stream.map(
          Stream.fromAsyncIterable(feed, () => new Error("the parts were lost")),
          (given) => given.map(partMessage).join(""),
        )
        const whole = Stream.concat(
          texts,
          Stream.suspend(() =>
            feed.isLost ? Stream.fail(new Error("the client reads too slowly")) : Stream.empty,
          ),
        )
        return Stream.merge(
          Stream.ensuring(
            events,
            Effect.sync(() => feed.close()),
          ),
          whole,
        )
      })

const partMessage = (part: Part): string => `event: part\ndata: ${JSON.stringify(part)}\n\n`
