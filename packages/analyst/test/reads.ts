/** What a question is read as, short enough for a table of cases. */
import { extractRequirements } from "../src/language/extractRequirements.ts"
import { listRequirements } from "../src/requirements/listRequirements.ts"
import { profile } from "./sales.ts"

export interface Read {
  /** Ids of the requirements, sorted. */
  readonly ids: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<string>
  readonly asked: string
  /** Whether a run would go on without an answer, with the usual threshold. */
  readonly goesOn: boolean
}

export const reads = (question: string): Read => {
  const { requirements, confidence, question: asked = "" } = extractRequirements(question, profile)
  return {
    ids: listRequirements(requirements)
      .map(({ id }) => id)
      .toSorted(),
    unknown: requirements.unknown,
    asked,
    goesOn: confidence >= 0.5,
  }
}
