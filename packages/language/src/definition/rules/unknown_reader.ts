/** PL4026: unknown reader. */
import { hint } from "@planloom/expression/suggestion"
import { namedIn } from "../scope/namedIn.ts"
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
  check: ({ analysis, resources }) => {
    const known = [...resources.components.readers.keys()]
    return namedIn(analysis.tree, resources, "readersOf")
      .filter(({ name }) => !known.includes(name))
      .map(({ name, path }) => ({
        code: "PL4026",
        message: `there is no reader "${name}"`,
        path,
        help:
          hint(name, known, "there are") ??
          "declare a plugin that provides a reader under use: { plugins: [...] }",
      }))
  },
}
