/** Everything that can be known of a workflow without running it, all at once, in reading order. */
import { hasErrors, sortDiagnostics } from "../source/Diagnostic.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { Definition } from "./Definition.ts"
import { locateProblem } from "./Problem.ts"
import type { Resources } from "./Resources.ts"
import { rules } from "./rules/index.ts"
import { Analysis } from "./scope/Analysis.ts"
import { examine } from "./scope/examine.ts"
import { examineExamples } from "./scope/examineExamples.ts"

/**
 * Rules on references, types, graph, policies, plugins, prompts and secrets. `earlier` are the
 * diagnostics of reading and decoding: where those found something, rules keep silent.
 */
export const check = (
  definition: Definition,
  resources: Resources,
  document: Document,
  earlier: ReadonlyArray<Diagnostic> = [],
): ReadonlyArray<Diagnostic> => {
  const analysis = new Analysis(definition, resources)
  const examined = examine(analysis)
  const known = { definition, resources, analysis, examined }
  const problems = [...examined.problems, ...rules.flatMap((rule) => rule.check?.(known) ?? [])]
  const broken = hasErrors(earlier)
  const found = problems
    // What is unused may be used by what could not be read.
    .filter((problem) => !broken || !unusedCodes.has(problem.code))
    .map((problem) => locateProblem(document, problem))
    .filter((one) => !earlier.some((other) => follows(other, one)))
  return sortDiagnostics([...found, ...examined.elsewhere, ...examineExamples(analysis)])
}

const unusedCodes = new Set(["PL2011", "PL2012", "PL3002"])

/** A consequence of a mistake stands where the mistake stands. */
const overlaps = (earlier: Diagnostic, one: Diagnostic): boolean =>
  earlier.file === one.file &&
  earlier.start.offset < Math.max(one.end.offset, one.start.offset + 1) &&
  one.start.offset < Math.max(earlier.end.offset, earlier.start.offset + 1)

/** After a stray tag the rest of the line is not what its author wrote. */
const follows = (earlier: Diagnostic, one: Diagnostic): boolean =>
  overlaps(earlier, one) ||
  (earlier.code === "PL0005" &&
    earlier.file === one.file &&
    earlier.start.line === one.start.line &&
    earlier.start.offset <= one.start.offset)
