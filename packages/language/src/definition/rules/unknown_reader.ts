/** PL4026: there is no such reader. */
import { hint } from "@planloom/expression/suggestion"
import { namedIn } from "../scope/namedIn.ts"
import type { Rule } from "./Rule.ts"

export const unknownReader: Rule = {
  code: "PL4026",
  slug: "unknown_reader",
  severity: "error",
  title: "There is no such reader",
  why: "The stage would have no way to understand a message.",
  mend: "Take the reader the message suggests, or declare the plugin that brings it under `use: { plugins: [...] }`.",
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
          "declare a plugin that brings a reader under use: { plugins: [...] }",
      }))
  },
}
