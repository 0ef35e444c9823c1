/** PL4024: the plugin's code was not loaded. */
import type { Rule } from "./Rule.ts"

export const withheldPlugin: Rule = {
  code: "PL4024",
  slug: "withheld_plugin",
  severity: "error",
  title: "The plugin's code was not loaded",
  why: "Loading the plugin would run code of the folder's author, and the folder is not trusted. With `--no-plugins` this is a warning. Of what depends on the plugin, only what its package.json declares is checked.",
  fix: "Read the plugin, then answer `y` on a terminal, or pass `--trust`. A package that the lockfile names needs neither.",
  wrong: "# planloom check flow.yaml\nuse: { plugins: [./plugin.ts] }",
  right: "# planloom check flow.yaml --trust\nuse: { plugins: [./plugin.ts] }",
}
