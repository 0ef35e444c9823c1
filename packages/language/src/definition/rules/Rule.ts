/** One thing that can be wrong: what `check` says of it, and what `explain` tells. */
import type { Severity } from "../../source/Diagnostic.ts"
import type { Definition } from "../Definition.ts"
import type { Problem } from "../Problem.ts"
import type { Resources } from "../Resources.ts"
import type { Analysis } from "../scope/Analysis.ts"
import type { Examined } from "../scope/examine.ts"

export interface Rule {
  /** `PL2001`; stable, never used again for something else. */
  readonly code: string
  /** Also the name of the rule's file and of its golden. */
  readonly slug: string
  readonly severity: Severity
  /** What is wrong, in a few words. */
  readonly title: string
  /** Why it is a problem: what would happen otherwise. */
  readonly why: string
  /** How to mend it. */
  readonly mend: string
  /** As little YAML as shows it. */
  readonly wrong: string
  readonly right: string
  /**
   * Looks for it. Rules without are found on the way: by reading the file, by decoding it, or by
   * typing its expressions.
   */
  readonly check?: (known: Known) => ReadonlyArray<Problem>
}

/** What a rule may look at. */
export interface Known {
  readonly definition: Definition
  readonly resources: Resources
  readonly analysis: Analysis
  readonly examined: Examined
}
