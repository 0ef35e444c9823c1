/** Contract between Planloom and its plugins. */
export * from "./effect.ts"
