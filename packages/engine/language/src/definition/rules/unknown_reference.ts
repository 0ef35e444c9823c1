/** PL4025: unknown reference. */
import { startsWith } from "../scope/examine/Examination.ts"
import { unknownReferences } from "../scope/uses/unknownReferences.ts"
import { stageReferences } from "../scope/uses/stageReferences.ts"
import type { Rule } from "./Rule.ts"

export const unknownReference: Rule = {
  code: "PL4025",
  slug: "unknown_reference",
  severity: "error",
  title: "Unknown reference",
  why: "The plugin that reads the file, section or stage would not find it.",
  fix: "Use the name that the message suggests, or add the plugin or file that provides it.",
  wrong: "tone: { use: frendly }",
  right: "tone: { use: friendly }",
  check: ({ analysis, examined, known, resources }) => {
    const { failures, references } = stageReferences(analysis.tree, resources)
    return [
      // Workflows are reported where they are read.
      ...unknownReferences(
        references.filter(({ to }) => to !== "workflow"),
        known,
        [],
      ),
      // A kind's code may fail because of a mistake that is reported already.
      ...failures.filter(
        ({ path }) => !examined.problems.some((problem) => startsWith(problem.path, path)),
      ),
    ]
  },
}
