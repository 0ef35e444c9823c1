/** What `kind:` of a file may be when tests and evaluations are read. */
import { ownKinds } from "@planloom/language"

export const knownKinds: ReadonlyArray<string> = [...ownKinds, "WorkflowTest", "Evaluation"]
