/** PL4024: the plugin's code was not loaded, because the folder is not trusted or plugins were switched off. */
import type { Rule } from "./Rule.ts"

export const withheldPlugin: Rule = {
  code: "PL4024",
  slug: "withheld_plugin",
  severity: "error",
  title: "The plugin's code was not loaded",
  why: "Its code is part of the folder, so loading it would run what the folder's author wrote, and the folder is not trusted. With `--no-plugins` this is a warning, and what depends on the plugin is not checked.",
  mend: "Read the plugin, then answer `y` on a terminal, or pass `--trust`. A package that the lockfile names needs neither.",
  wrong: "# planloom check flow.yaml\nuse: { plugins: [./plugin.ts] }",
  right: "# planloom check flow.yaml --trust\nuse: { plugins: [./plugin.ts] }",
}
