/** Servers of the Model Context Protocol as a plugin, and its parts for hosts that show and manage them. */
export { default } from "./plugin.ts"
export { logIn, type LoggedIn, type LogInOptions } from "./login/logIn.ts"
export { logOut, type LoggedOut, type LogOutOptions } from "./login/logOut.ts"
export { readServers } from "./servers/readServers.ts"
export type { Server } from "./servers/Server.ts"
