/** Decides whether the file that declares a server speaks for the person: whether a login is used, and reads are believed. */
import type { Host } from "@planloom/plugin/effect"
import { currentLogin, type LoginStore } from "../login/LoginStore.ts"
import { hasOwnAuthorization } from "./hasOwnAuthorization.ts"
import { isCommand, type Server } from "./Server.ts"

export interface Judging extends Pick<Host, "mayTrust"> {
  readonly logins: LoginStore
}

/** The server with what its file may not do. Another question decides which programs are started. */
export const judgeServer = async (
  server: Server,
  { logins, mayTrust }: Judging,
): Promise<Server> => {
  const { file, name, reach, trustsReads } = server
  if (mayTrust === undefined || isCommand(reach)) return server
  const mayLogIn = !hasOwnAuthorization(reach)
  if (!mayLogIn && !trustsReads) return server
  const hasLogin = mayLogIn && currentLogin(logins.read(reach))?.tokens !== undefined
  const claims = [
    ...(hasLogin || !trustsReads
      ? [`lets the server "${name}" act with your login at ${reach.url}`]
      : []),
    ...(trustsReads ? [`believes the server "${name}" at ${reach.url} which tools only read`] : []),
  ]
  const distrust = await mayTrust({
    what: claims.join(", and "),
    file,
    matters: hasLogin || trustsReads,
  })
  return distrust === undefined
    ? server
    : { ...server, distrust, reach: { ...reach, ...(mayLogIn && { isAnonymous: true as const }) } }
}
