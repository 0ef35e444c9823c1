/** A server on the SDK, of both revisions of the protocol: `node newServer.ts` speaks by standard input and output. */
import { createMcpHandler, inputRequired, Server } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const object = (properties: object = {}) => ({ type: "object" as const, properties })
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] })

const tools = [
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: object({ a: { type: "number" }, b: { type: "number" } }),
    outputSchema: object({ sum: { type: "number" } }),
    annotations: { readOnlyHint: true },
  },
  {
    name: "list",
    description: "Gives a list.",
    inputSchema: object(),
    outputSchema: { type: "array" },
  },
  {
    name: "ask",
    description: "Asks for a name.",
    inputSchema: object({ times: { type: "number" } }),
  },
  { name: "roots", description: "Asks for the roots.", inputSchema: object() },
  { name: "sample", description: "Asks the model.", inputSchema: object() },
  { name: "log", description: "Writes to the log.", inputSchema: object() },
  {
    name: "region",
    description: "Needs its region in a header.",
    inputSchema: object({ region: { type: "string", "x-mcp-header": "Region" } }),
  },
  {
    name: "bad_header",
    description: "Declares a header that cannot be.",
    inputSchema: object({ region: { type: "object", "x-mcp-header": "Region" } }),
  },
]

/** `headers` are those of the HTTP request. */
export const newServer = (headers?: Headers): Server => {
  const server = new Server(
    { name: "new", version: "1" },
    { capabilities: { tools: { listChanged: true }, logging: {}, resources: {} } },
  )
  server.setRequestHandler("tools/list", () => ({ tools }) as never)
  server.setRequestHandler("resources/list", ({ params }) =>
    params?.cursor === undefined
      ? { resources: [{ uri: "note://1", name: "one" }], nextCursor: "" }
      : { resources: [{ uri: "note://2", name: "two", mimeType: "image/png" }] },
  )
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({
    contents: [
      uri === "note://1" ? { uri, text: "first" } : { uri, blob: "cG5n", mimeType: "image/png" },
    ],
  }))
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { arguments: args = {}, name } = params
    const { inputResponses = {} } = mcpReq
    switch (name) {
      case "add":
        return { ...text("sum"), structuredContent: { sum: Number(args["a"]) + Number(args["b"]) } }
      case "list":
        return { ...text("list"), structuredContent: [1, 2] } as never
      case "ask": {
        const done = Number(mcpReq.requestState() ?? 0)
        return done === Number(args["times"] ?? 1)
          ? text(JSON.stringify(inputResponses))
          : inputRequired({
              inputRequests: {
                name: inputRequired.elicit({
                  message: "Your name?",
                  requestedSchema: object({ name: { type: "string" } }) as never,
                }),
              },
              requestState: String(done + 1),
            })
      }
      case "roots":
      case "sample":
        return Object.keys(inputResponses).length > 0
          ? text(JSON.stringify(inputResponses))
          : inputRequired({
              inputRequests: {
                asked:
                  name === "roots"
                    ? inputRequired.listRoots()
                    : inputRequired.createMessage({
                        messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
                        maxTokens: 9,
                      }),
              },
            })
      case "log":
        await mcpReq.log("warning", { disk: "full" })
        return text("logged")
      case "region":
        return text(String(headers?.get("mcp-param-region")))
      default:
        return { ...text("unknown"), isError: true }
    }
  })
  return server
}

/** The same by HTTP; each request has a server of its own. */
export const newHandler = (legacy: "reject" | "stateless") =>
  createMcpHandler(({ requestInfo }) => newServer(requestInfo?.headers), { legacy })

if (process.argv[1] === import.meta.filename) serveStdio(() => newServer())
