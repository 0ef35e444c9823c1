/** Durable run store in one SQLite file. */
export { openStore, type StoreOptions } from "./openStore.ts"
export { default, runsFile } from "./plugin.ts"
