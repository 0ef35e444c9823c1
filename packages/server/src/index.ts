/** The HTTP API over a store of runs, as one function from `Request` to `Response`. */
export type { Offered, ApiOptions } from "./Api.ts"
export { handler } from "./handler.ts"
