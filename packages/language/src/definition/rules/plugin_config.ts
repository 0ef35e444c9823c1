/** PL4002: the plugin's config does not fit. */
import type { Rule } from "./Rule.ts"

export const pluginConfig: Rule = {
  code: "PL4002",
  slug: "plugin_config",
  severity: "error",
  title: "The plugin's config does not fit",
  why: "The plugin says what it takes, and this is something else.",
  mend: "Mend the config in `planloom.yaml`.",
  wrong: "plugins: { acme: { ur: https://… } }",
  right: "plugins: { acme: { url: https://… } }",
}
