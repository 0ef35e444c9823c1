/** A server of the Model Context Protocol over standard input and output, from tools that only read. */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { ApiFailed } from "./ApiFailed.ts"

type Schema = Parameters<typeof fromJsonSchema>[0]

export interface Tool {
  readonly name: string
  readonly description: string
  readonly params: Schema
  readonly result: Schema
  /** Fails with `ApiFailed`. */
  readonly call: (params: { readonly [name: string]: any }) => Promise<object>
}

/** A failed API is a result with `isError` and the reason; anything else is a bug and fails the request. */
export const serveTools = (name: string, tools: ReadonlyArray<Tool>) =>
  serveStdio(() => {
    const server = new McpServer({ name, version: "1.0.0" })
    for (const { call, description, name: tool, params, result } of tools) {
      server.registerTool(
        tool,
        {
          description,
          inputSchema: fromJsonSchema<{ [name: string]: unknown }>(params),
          outputSchema: fromJsonSchema(result),
          annotations: { readOnlyHint: true },
        },
        async (given) => {
          try {
            const value = await call(given)
            return {
              content: [{ type: "text", text: JSON.stringify(value) }],
              structuredContent: value as { [name: string]: unknown },
            }
          } catch (cause) {
            if (!(cause instanceof ApiFailed)) throw cause
            return { isError: true, content: [{ type: "text", text: cause.message }] }
          }
        },
      )
    }
    return server
  })

export const object = (
  properties: { readonly [name: string]: object },
  required: ReadonlyArray<string> = Object.keys(properties),
): Schema => ({ type: "object", properties, required }) as Schema

export const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }
/** Of its contract: a token's symbol is not unique, its address is. */
export const token = object({ symbol: { type: "string" }, address })
