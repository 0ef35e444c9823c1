/**
 * Results as the server sent them. The SDK refuses a whole list for one bad tool, and a whole result for one bad
 * part, so it gets an empty one that carries the sent one along.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { isObject, type Json } from "@planloom/schema"
import { inOrder } from "./inOrder.ts"

const RAW = "planloom/raw"

const uncached = { ttlMs: 0, cacheScope: "private" }

/** By method: what the SDK gets to see. */
const emptyResults: { readonly [method: string]: object } = {
  "tools/call": { content: [] },
  "tools/list": { tools: [], ...uncached },
  "prompts/get": { messages: [] },
  "prompts/list": { prompts: [], ...uncached },
  "resources/list": { resources: [], ...uncached },
  "resources/read": { contents: [], ...uncached },
}

export const withRawResults = <Given extends Transport>(transport: Given): Given => {
  const empties = new Map<string | number, object>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ("method" in message && "id" in message && Object.hasOwn(emptyResults, message.method)) {
      empties.set(message.id, emptyResults[message.method]!)
    }
    return send(message, options)
  }
  const emptied = <Message extends JSONRPCMessage>(message: Message): Message => {
    if (!("id" in message) || message.id === undefined || "method" in message) return message
    const empty = empties.get(message.id) ?? empties.get(Number(message.id))
    if (empty === undefined) return message
    empties.delete(message.id)
    empties.delete(Number(message.id))
    if (!("result" in message)) return message
    const raw = message.result as unknown as { readonly resultType?: unknown }
    const kind = raw.resultType ?? "complete"
    // A round that asks for input, and a kind that the SDK refuses.
    if (kind !== "complete") return message
    return { ...message, result: { ...empty, resultType: kind, _meta: { [RAW]: raw } } }
  }
  let handler: Transport["onmessage"]
  const wrapped = inOrder((message, extra) => handler?.(emptied(message), extra))
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => (handler === undefined ? undefined : wrapped),
    // The SDK saves the handler and restores it.
    set: (given: Transport["onmessage"]) => {
      if (given !== wrapped) handler = given
    },
  })
  return transport
}

/** The result as the server sent it. */
export const rawOf = (result: { readonly _meta?: unknown }): { readonly [key: string]: Json } => {
  const meta = result._meta as { readonly [RAW]?: Json } | undefined
  const raw = meta?.[RAW]
  return isObject(raw) ? raw : {}
}
