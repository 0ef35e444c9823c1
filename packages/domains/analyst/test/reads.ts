/** Reads a question into a short form for tables of cases. */
import { extractRequirements } from "../src/language/extractRequirements.ts"
import { listRequirements } from "../src/requirements/listRequirements.ts"
import { profile } from "./sales.ts"

export interface Read {
  /** Ids of the requirements, sorted. */
  readonly ids: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<string>
  readonly asked: string
  /** Whether a run continues without asking. */
  readonly isConfident: boolean
}

export const reads = (question: string): Read => {
  const { requirements, question: next, refusal } = extractRequirements(question, profile)
  const asked = next?.text ?? refusal ?? ""
  return {
    ids: listRequirements(requirements)
      .map(({ id }) => id)
      .toSorted(),
    unknown: requirements.unknown,
    asked,
    isConfident: asked === "",
  }
}
