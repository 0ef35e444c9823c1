/** Serves workflows over the Model Context Protocol, by the HTTP API of a Planloom server. */
export type { ApiHandler } from "./Api.ts"
export type { ServerOptions } from "./createServer.ts"
export type { HttpCaller, HttpOptions } from "./Http.ts"
export { httpEndpoint, type HttpEndpoint } from "./httpEndpoint.ts"
export { serveStdio, type StdioConnection, type StdioOptions } from "./serveStdio.ts"
