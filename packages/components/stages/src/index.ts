/** The built-in stage kinds as a plugin. */
export { default } from "./plugin.ts"
