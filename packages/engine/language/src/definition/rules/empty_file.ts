/** PL0002: the file is empty. */
import type { Rule } from "./Rule.ts"

export const emptyFile: Rule = {
  code: "PL0002",
  slug: "empty_file",
  severity: "error",
  title: "The file is empty",
  why: "A file without a document declares nothing, and every required key is missing.",
  fix: "Write a document, or start with `planloom init`.",
  wrong: "# nothing but a comment",
  right: "apiVersion: planloom/v1\nkind: Workflow\nname: report",
}
