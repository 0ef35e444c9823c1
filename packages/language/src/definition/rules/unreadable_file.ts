/** PL0001: the file cannot be read. */
import type { Rule } from "./Rule.ts"

export const unreadableFile: Rule = {
  code: "PL0001",
  slug: "unreadable_file",
  severity: "error",
  title: "The file cannot be read",
  why: "It is missing, a folder, larger than 1 MiB, or not UTF-8 text, so there is nothing to check.",
  mend: "Give the path of a YAML file that exists. Prompts, catalogs, templates and hooks live in files of their own when one file grows too large.",
  wrong: "planloom check workflows/raport.yaml",
  right: "planloom check workflows/report.yaml",
}
