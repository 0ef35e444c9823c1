/** Calls of HTTP APIs as a plugin; and the source with its transport, for hosts that build their own. */
export { default } from "./plugin.ts"
export type { Auth } from "./auth/Auth.ts"
export { endpointSchema, type Endpoint } from "./endpoint/Endpoint.ts"
export { Transport, type TransportOptions } from "./net/Transport.ts"
export { httpTools, type HttpToolsOptions } from "./source.ts"
