/** Subagents that review texts. */
export { default } from "./plugin.ts"
