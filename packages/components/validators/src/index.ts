/** Deterministic validators of texts. */
export { default } from "./plugin.ts"
