/** Checks whether a server lists a model, before runs are switched to it. */
import * as Effect from "effect/Effect"
import { sendRequest } from "@planloom/provider-kit"
import { clientFor } from "./client.ts"
import type { ServerOptions } from "./options.ts"
import { requestOptions } from "./requestOptions.ts"

/** A person waits for it. */
const LIST_TIMEOUT_MS = 10_000

/** Models of a list that a message names. */
const MAX_NAMED = 12

/** Statuses of a server that has no list. */
const WITHOUT_LIST: ReadonlySet<unknown> = new Set([404, 405, 501])

export const listsModel =
  (server: ServerOptions) =>
  (model: string): Effect.Effect<true | string> => {
    const options = {
      ...requestOptions(server, model),
      limits: { ...server.limits, timeout: LIST_TIMEOUT_MS, stall: LIST_TIMEOUT_MS },
    }
    return Effect.flatMap(clientFor(server)(options.model), (createClient) =>
      sendRequest(options, async (exchange): Promise<ReadonlyArray<string> | undefined> => {
        try {
          const page = await createClient(exchange).models.list({ signal: exchange.signal })
          return Array.isArray(page.data) ? page.data.map(({ id }) => id) : undefined
        } catch (error) {
          if (WITHOUT_LIST.has((error as { status?: unknown }).status)) return undefined
          throw error
        }
      }),
    ).pipe(
      Effect.match({
        onSuccess: (ids) => ids === undefined || isIn(ids, model) || missingText(ids),
        onFailure: ({ message }) => message,
      }),
    )
  }

/** Ollama lists the tag that a name without one stands for. */
const isIn = (ids: ReadonlyArray<string>, model: string): boolean =>
  ids.includes(model) || (!model.includes(":") && ids.includes(`${model}:latest`))

const missingText = (ids: ReadonlyArray<string>): string => {
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ""
  return `the server does not list it; it lists ${ids.slice(0, MAX_NAMED).join(", ") || "no model"}${more}`
}
