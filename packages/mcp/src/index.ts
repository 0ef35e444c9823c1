/** Servers of the Model Context Protocol as a plugin, and its parts for hosts that show and manage them. */
export { default } from "./plugin.ts"
