/** A test file's path → what it says and where each part of it stands. */
import * as Effect from "effect/Effect"
import { decodeAs, sortDiagnostics, Reading } from "@planloom/language"
import type { Diagnostic, Document, SourceFile } from "@planloom/language"
import { workflowTest } from "./workflowTestShape.ts"
import type { WorkflowTest } from "./WorkflowTest.ts"
import { knownKinds } from "./knownKinds.ts"

export interface ReadWorkflowTest {
  /** Undefined when the file cannot be read as YAML. */
  readonly document: Document | undefined
  /** Undefined when the file is of another kind. Where something is wrong, a harmless value stands in. */
  readonly test: WorkflowTest | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** Never fails: whatever is wrong is a diagnostic. */
export const readWorkflowTest = (
  path: string,
  texts?: ReadonlyMap<string, string>,
): Effect.Effect<ReadWorkflowTest> =>
  Effect.promise(async () => {
    const reading = new Reading(texts)
    const document = await reading.document(path)
    const test =
      document && reading.decoded(decodeAs("WorkflowTest", workflowTest, document, knownKinds))
    return {
      document,
      test,
      diagnostics: sortDiagnostics(reading.diagnostics),
      sources: reading.sources,
    }
  })
