/** The key `hooks` of workflows and stages, by which hooks of plugins become active. */
export { default } from "./plugin.ts"
