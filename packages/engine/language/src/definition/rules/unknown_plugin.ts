/** PL4001: the plugin cannot be loaded. */
import type { Rule } from "./Rule.ts"

export const unknownPlugin: Rule = {
  code: "PL4001",
  slug: "unknown_plugin",
  severity: "error",
  title: "The plugin cannot be loaded",
  why: "It is not installed, not a plugin, or made for another version of the engine; its contributions are missing.",
  fix: "Install the package, or fix its name or path.",
  wrong: 'use: { plugins: ["@planloom/stage"] }',
  right: 'use: { plugins: ["@planloom/stages"] }',
}
