/** PL0005: yAML reads the value as a tag. */
import type { Rule } from "./Rule.ts"

export const yamlTag: Rule = {
  code: "PL0005",
  slug: "yaml_tag",
  severity: "error",
  title: "YAML reads the value as a tag",
  why: "A value that starts with `!` is a YAML tag, and the rest is not what you wrote: `if: !done` would be an empty text.",
  fix: "Quote the whole value.",
  wrong: "if: !stages.review.output.done",
  right: 'if: "!stages.review.output.done"',
}
