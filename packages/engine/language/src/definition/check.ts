/** Checks a decoded workflow without running it; diagnostics come in reading order. */
import { hasErrors, sortDiagnostics } from "../source/Diagnostic.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { Definition } from "./Definition.ts"
import { locateProblem } from "./Problem.ts"
import type { Resources } from "./Resources.ts"
import { rules } from "./rules/index.ts"
import type { RuleInput } from "./rules/Rule.ts"
import { Analysis } from "./scope/Analysis.ts"
import { examine } from "./scope/examine/examine.ts"
import { examineExamples } from "./scope/examine/examineExamples.ts"
import { knownFrom } from "./scope/Known.ts"

/**
 * Rules on references, types, graph, policies, plugins, prompts and secrets. `earlier` are the
 * diagnostics of reading and decoding: at a place they report, rules report nothing more.
 */
export const check = (
  definition: Definition,
  resources: Resources,
  document: Document,
  earlier: ReadonlyArray<Diagnostic> = [],
): ReadonlyArray<Diagnostic> => {
  const analysis = new Analysis(definition, resources)
  const examined = examine(analysis)
  const known = knownFrom(document.file.path, definition, resources)
  const input: RuleInput = { definition, resources, analysis, examined, known }
  const problems = [...examined.problems, ...rules.flatMap((rule) => rule.check?.(input) ?? [])]
  const broken = hasErrors(earlier)
  const isUnread = broken || problems.some(({ code }) => misread.has(code))
  const unread = new Set(isUnread ? unusedCodes : [])
  for (const { code } of [...earlier, ...problems]) {
    if (Object.hasOwn(consequences, code)) unread.add(consequences[code]!)
  }
  // Without the stage that was meant, the order of the block is not known.
  if (problems.some(({ code, path }) => code === "PL2002" && path.includes("needs"))) {
    unread.add("PL2004")
  }
  if (broken && analysis.tree.all.length === 0) unread.add("PL2002")
  const found = problems
    // A part of the file that cannot be decoded or parsed may use it, or declare it.
    .filter((problem) => !unread.has(problem.code))
    .map((problem) => locateProblem(document, problem))
    .filter((one) => !earlier.some((other) => follows(other, one)))
  return sortDiagnostics([...found, ...examined.elsewhere, ...examineExamples(analysis)])
}

/** The consequences of a problem: a name that is misspelt elsewhere is unused, a wrong duration has a stand-in. */
const consequences: { readonly [code: string]: string } = {
  PL0105: "PL3003",
  PL3001: "PL3002",
  PL5001: "PL2012",
}

/** Mistakes in an expression: it may have been meant to read what is unused. */
const misread = new Set(["PL1001", "PL1101", "PL1201", "PL1204"])

const unusedCodes = new Set(["PL2011", "PL2012", "PL3002"])

/** Whether two diagnostics overlap; the later one is then a consequence of the earlier. */
const overlaps = (earlier: Diagnostic, one: Diagnostic): boolean =>
  earlier.file === one.file &&
  earlier.start.offset < Math.max(one.end.offset, one.start.offset + 1) &&
  one.start.offset < Math.max(earlier.end.offset, earlier.start.offset + 1)

/** Whether the earlier diagnostic causes this one; a stray tag changes the rest of its line. */
const follows = (earlier: Diagnostic, one: Diagnostic): boolean =>
  overlaps(earlier, one) ||
  (earlier.code === "PL0005" &&
    earlier.file === one.file &&
    earlier.start.line === one.start.line &&
    earlier.start.offset <= one.start.offset)
