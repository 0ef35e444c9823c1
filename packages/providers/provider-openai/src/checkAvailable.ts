/** Checks whether a server can answer: its key is set, or, for a server without a key, it lists its models. */
import * as Effect from "effect/Effect"
import { sendRequest } from "@planloom/provider-kit"
import { clientFor, configProblem } from "./client.ts"
import type { ServerOptions } from "./options.ts"
import { toProviderError } from "./toProviderError.ts"

/** A server on this machine answers within a few milliseconds. */
const AVAILABILITY_TIMEOUT_MS = 2000

/** Sends no request to a service with a key: it would cost a connection, and a missing key is the usual cause. */
export const checkAvailable = (server: ServerOptions): Effect.Effect<true | string> =>
  Effect.suspend((): Effect.Effect<true | string> => {
    const message = configProblem(server)
    if (message !== undefined) return Effect.succeed(message)
    if (server.key !== undefined) return Effect.succeed(true)
    const options = {
      model: server.id,
      limits: { timeout: AVAILABILITY_TIMEOUT_MS, stall: AVAILABILITY_TIMEOUT_MS },
      toProviderError: toProviderError(server, ""),
    }
    return Effect.flatMap(clientFor(server)(server.id), (createClient) =>
      sendRequest(options, (exchange) =>
        createClient(exchange).models.list({ signal: exchange.signal }),
      ),
    ).pipe(
      Effect.match({
        onSuccess: () => true as const,
        onFailure: (failure) => failure.message,
      }),
    )
  })
