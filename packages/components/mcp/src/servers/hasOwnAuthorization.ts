/** Whether the declaration of a server says itself how its requests are authorized: then no login is used. */
import type { Endpoint } from "./Server.ts"

export const hasOwnAuthorization = ({ headers }: Pick<Endpoint, "headers">): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
