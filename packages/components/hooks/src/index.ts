/** The key `hooks` of workflows and stages, by which hooks of plugins become active, and experiments of workflows. */
export { default } from "./plugin.ts"
