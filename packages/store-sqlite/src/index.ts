/** Durable run store in one SQLite file. */
export { openStore, type StoreOptions } from "./openStore.ts"
