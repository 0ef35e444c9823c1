/** PL4002: the plugin's config is invalid. */
import type { Rule } from "./Rule.ts"

export const pluginConfig: Rule = {
  code: "PL4002",
  slug: "plugin_config",
  severity: "error",
  title: "The plugin's config is invalid",
  why: "It does not match the schema that the plugin declares.",
  fix: "Fix the config in `planloom.yaml`.",
  wrong: "plugins: { acme: { ur: https://… } }",
  right: "plugins: { acme: { url: https://… } }",
}
