/** PL0005: YAML reads the value as a tag. */
import type { Rule } from "./Rule.ts"

export const yamlTag: Rule = {
  code: "PL0005",
  slug: "yaml_tag",
  severity: "error",
  title: "YAML reads the value as a tag",
  why: "A value that begins with `!` is a tag to YAML, and what follows is not what you wrote: `if: !done` would be an empty text.",
  mend: "Quote the whole value.",
  wrong: "if: !stages.review.output.done",
  right: 'if: "!stages.review.output.done"',
}
