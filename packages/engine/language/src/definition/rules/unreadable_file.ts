/** PL0001: the file cannot be read. */
import type { Rule } from "./Rule.ts"

export const unreadableFile: Rule = {
  code: "PL0001",
  slug: "unreadable_file",
  severity: "error",
  title: "The file cannot be read",
  why: "It is missing, a folder, larger than 1 MiB, or not UTF-8 text, so there is nothing to check.",
  fix: "Pass the path of a YAML file that exists. When one file grows too large, move prompts, catalogs, templates and hooks to files of their own.",
  wrong: "planloom check workflows/raport.yaml",
  right: "planloom check workflows/report.yaml",
}
