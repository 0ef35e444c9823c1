/** PL4026: unknown reader. */
import type { Rule } from "./Rule.ts"

export const unknownReader: Rule = {
  code: "PL4026",
  slug: "unknown_reader",
  severity: "error",
  title: "Unknown reader",
  why: "The stage could not read a message.",
  fix: "Use the reader that the message suggests, or declare the plugin that provides it under `use: { plugins: [...] }`.",
  wrong: "with: { reader: devise }",
  right: "with: { reader: device }",
}
