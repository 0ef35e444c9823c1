/** An HTTP client for a collector: bounded in time, and reports failed exports. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"

/** How long a collector may take to answer. */
const ANSWER_MS = 5000

/** `failed` is called with the reason each time the collector cannot be reached or refuses an export. */
export const collectorClient = (
  client: HttpClient.HttpClient,
  failed: (reason: string) => void,
): HttpClient.HttpClient =>
  HttpClient.transform(client, (response, request) =>
    response.pipe(
      Effect.timeoutOrElse({
        duration: ANSWER_MS,
        orElse: () => {
          const cause = new Error(`no answer within ${ANSWER_MS / 1000} s`)
          return Effect.fail(
            new HttpClientError({ reason: new TransportError({ request, cause }) }),
          )
        },
      }),
      Effect.tap(({ status }) =>
        Effect.sync(() => {
          if (status < 200 || status >= 300) failed(`it answered with status ${status}`)
        }),
      ),
      Effect.tapError((error) => Effect.sync(() => failed(innermost(error)))),
    ),
  )

/** The innermost cause names the problem: `connect ECONNREFUSED 127.0.0.1:4318`. */
const innermost = (error: Error): string =>
  error.cause instanceof Error ? innermost(error.cause) : error.message
