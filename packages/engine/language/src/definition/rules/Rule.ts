/** A rule: one kind of mistake in a file, how `check` finds it and how `explain` describes it. */
import type { Severity } from "../../source/Diagnostic.ts"
import type { Definition } from "../Definition.ts"
import type { Problem } from "../Problem.ts"
import type { Resources } from "../Resources.ts"
import type { Analysis } from "../scope/Analysis.ts"
import type { Examined } from "../scope/examine/examine.ts"
import type { SearchableKnown } from "../scope/Known.ts"

export interface Rule {
  /** `PL2001`; stable, never reused for another rule. */
  readonly code: string
  /** Also the name of the rule's file and of its golden. */
  readonly slug: string
  readonly severity: Severity
  /** What is wrong, in a few words. */
  readonly title: string
  /** What would happen without the rule. */
  readonly why: string
  /** How to fix it. */
  readonly fix: string
  /** The shortest YAML with the mistake. */
  readonly wrong: string
  readonly right: string
  /** Finds the mistake. Absent where reading, decoding, typing expressions or another rule reports it. */
  readonly check?: (input: RuleInput) => ReadonlyArray<Problem>
}

/** The input of a rule's check. */
export interface RuleInput {
  readonly definition: Definition
  readonly resources: Resources
  readonly analysis: Analysis
  readonly examined: Examined
  /** Whether a reference from the workflow has a target. */
  readonly known: SearchableKnown
}
