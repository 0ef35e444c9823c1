/** A test file's path → what it says and where each part of it stands. */
import * as Effect from "effect/Effect"
import { decodeAs } from "../definition/decode.ts"
import { workflowTest } from "../definition/shape/workflowTest.ts"
import type { WorkflowTest } from "../definition/WorkflowTest.ts"
import { sortDiagnostics, type Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { SourceFile } from "../source/SourceFile.ts"
import { readDocument } from "./checkWorkflow.ts"

export interface ReadWorkflowTest {
  /** Undefined when the file cannot be read as YAML. */
  readonly document: Document | undefined
  /** Undefined when the file is of another kind. Where something is wrong, a harmless value stands in. */
  readonly test: WorkflowTest | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** Never fails: whatever is wrong is a diagnostic. */
export const readWorkflowTest = (path: string): Effect.Effect<ReadWorkflowTest> =>
  Effect.promise(async () => {
    const sources = new Map<string, SourceFile>()
    const diagnostics: Array<Diagnostic> = []
    const document = await readDocument(path, sources, diagnostics)
    const decoded =
      document === undefined ? undefined : decodeAs("WorkflowTest", workflowTest, document)
    return {
      document,
      test: decoded?.definition,
      diagnostics: sortDiagnostics([...diagnostics, ...(decoded?.diagnostics ?? [])]),
      sources,
    }
  })
