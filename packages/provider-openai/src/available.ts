/** Whether a server can answer now: its key is there, or, where none is needed, it lists its models. */
import * as Effect from "effect/Effect"
import { askWhole } from "@planloom/provider-kit"
import { clientFor, unready } from "./client.ts"
import type { ServerOptions } from "./options.ts"
import { troubleFor } from "./toTrouble.ts"

/** Milliseconds; a server on this machine answers in a few. */
const PATIENCE = 2000

/** A service with a key is not asked: that costs a connection, and a key in place is what people forget. */
export const available = (server: ServerOptions): Effect.Effect<true | string> =>
  Effect.suspend((): Effect.Effect<true | string> => {
    const message = unready(server)
    if (message !== undefined) return Effect.succeed(message)
    if (server.key !== undefined) return Effect.succeed(true)
    const asking = {
      model: server.id,
      limits: { timeout: PATIENCE, stall: PATIENCE },
      trouble: troubleFor(server, ""),
    }
    return Effect.flatMap(clientFor(server)(server.id), (begin) =>
      askWhole(asking, (wire) => begin(wire).models.list({ signal: wire.signal })),
    ).pipe(
      Effect.match({
        onSuccess: () => true as const,
        onFailure: (failure) => failure.message,
      }),
    )
  })
