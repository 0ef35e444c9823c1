/** Streams a run's events as server-sent events, from a sequence number to the run's end. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunEvent, RunStore } from "@planloom/plugin"
import { follow } from "@planloom/record/follow"

/** Proxies close connections that are idle for longer. */
const KEEP_ALIVE_INTERVAL = "15 seconds"

/**
 * Each event has its sequence number as `id`, so that a disconnected client resumes after the last one it received.
 * The last message is named `end`: a client that reconnects after it gets 204, which stops `EventSource`.
 */
export const eventStream = (store: RunStore, run: string, from: number): Effect.Effect<Response> =>
  Effect.map(
    Stream.toReadableStreamEffect(
      Stream.encodeText(
        Stream.merge(
          Stream.concat(
            Stream.map(follow(store, run, { from, patient: true }), message),
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
