/** Options of requests to a server for one of its models. */
import type { RequestOptions } from "@planloom/provider-kit"
import { keyOf, secretsOf } from "./client.ts"
import type { ServerOptions } from "./options.ts"
import { toProviderError } from "./toProviderError.ts"

export const requestOptions = (server: ServerOptions, model: string): RequestOptions => ({
  model: `${server.id}/${model}`,
  limits: server.limits,
  toProviderError: toProviderError(server, model),
  secrets: secretsOf(server),
  ...keyOf(server),
})
