/** PL4045: an optional package that a plugin needs is not installed; found when plugins are loaded. */
import type { Rule } from "./Rule.ts"

export const missingPackage: Rule = {
  code: "PL4045",
  slug: "missing_package",
  severity: "warning",
  title: "A package that a plugin needs is not installed",
  why: "The `planloom` command comes without the SDKs of models and without DuckDB, which are large. Without them, calls of these models and tools fail.",
  fix: "Install the package beside the command: `npm install openai`, or `npm install --global openai` for a global command.",
  wrong:
    '# npm install @planloom/cli\nuse: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }',
  right:
    '# npm install @planloom/cli openai\nuse: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }',
}
