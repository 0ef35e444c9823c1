/** PL4031: unknown store. */
import type { Rule } from "./Rule.ts"

export const unknownStore: Rule = {
  code: "PL4031",
  slug: "unknown_store",
  severity: "error",
  title: "Unknown store",
  why: "Runs could not be recorded where the project says.",
  fix: "Use the store that the message suggests, or name the plugin that provides it under `plugins` of `planloom.yaml`.",
  wrong: "runs: { store: sqlight }",
  right: "runs: { store: sqlite }",
}
