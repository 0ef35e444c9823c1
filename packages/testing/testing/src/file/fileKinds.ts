/** The kinds of files that this package brings to hosts which check files. */
import type { RegisteredFileKind } from "@planloom/language"

export const fileKinds: ReadonlyArray<RegisteredFileKind> = [
  { kind: "WorkflowTest", load: async () => (await import("./testKind.ts")).testKind },
  { kind: "Evaluation", load: async () => (await import("./evaluationKind.ts")).evaluationKind },
]
