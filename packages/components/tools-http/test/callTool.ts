/** Calls of the tool source without a workflow around them. */
import * as Effect from "effect/Effect"
import type { JsonObject, Tool, ToolInvocation } from "@planloom/plugin/effect"
import type { Auth } from "../src/auth/Auth.ts"
import { methods, type Endpoint } from "../src/endpoint/Endpoint.ts"
import { completeEndpoint } from "../src/endpoint/checkEndpoint.ts"
import { httpTools, Transport, type TransportOptions } from "../src/index.ts"

export interface Setup extends Partial<TransportOptions> {
  readonly auth?: { readonly [host: string]: Auth }
  readonly secrets?: { readonly [name: string]: string }
}

const open: Array<Transport> = []

/** Closes the connections that tests left open. */
export const closeTransports = (): void => {
  for (const transport of open.splice(0)) transport.close()
}

export const sourceWith = ({ auth = {}, secrets = {}, ...options }: Setup) => {
  const transport = new Transport({
    hosts: [],
    private: [],
    methods,
    timeout: 10_000,
    maxBytes: 100_000,
    maxRedirects: 3,
    ...options,
  })
  open.push(transport)
  return httpTools({
    transport,
    auth: new Map(Object.entries(auth)),
    secret: (name) => secrets[name],
  })
}

/** The entry of a catalog with an endpoint. */
export const entryOf = (endpoint: Endpoint, more: Partial<Tool> = {}): Tool => {
  const entry: Tool = {
    name: "endpoint",
    summary: "Calls an endpoint.",
    capabilities: [],
    inputs: {},
    outputs: [],
    params: true,
    source: "http",
    with: endpoint as unknown as JsonObject,
    ...more,
  }
  return { ...completeEndpoint(entry), ...entry }
}

/** The value of a call, or its failure. */
export const callTool = (setup: Setup, tool: string | Tool, params: JsonObject = {}) => {
  const entry = typeof tool === "string" ? undefined : tool
  const invocation = { tool: entry?.name ?? tool, params, entry } as ToolInvocation
  return Effect.runPromise(
    Effect.match(sourceWith(setup).call(invocation), {
      onSuccess: ({ value }) => value,
      onFailure: (failure) => failure,
    }),
  )
}
