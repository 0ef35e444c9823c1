/** PL0003: the file is not YAML. */
import type { Rule } from "./Rule.ts"

export const yamlSyntax: Rule = {
  code: "PL0003",
  slug: "yaml_syntax",
  severity: "error",
  title: "The file is not YAML",
  why: "After a syntax error the rest of the file is a guess, so nothing else is reported until it is fixed.",
  fix: "Fix the marked place. Most often a quote or bracket is not closed, a tab indents, or a value that contains `: ` is not quoted.",
  wrong: "if: ready ? yes : no",
  right: 'if: "ready ? yes : no"',
}
