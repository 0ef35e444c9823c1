/** A run's events as server-sent events, from a number on, to its end. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunEvent, RunStore } from "@planloom/plugin"
import { follow } from "@planloom/record"

/** A proxy closes what has been silent for longer. */
const KEEP_ALIVE = "15 seconds"

/**
 * Each event has its number as `id`, so that a client that was cut off takes up where it was. The last message is
 * called `end`: whoever is cut off after it is told with 204 that there is no more, and does not come again.
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
          Stream.map(Stream.tick(KEEP_ALIVE), () => ": still here\n\n"),
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
