/** The kinds of files that this package brings to hosts which check files. */
import { ownKinds } from "@planloom/language"
import type { RegisteredFileKind } from "@planloom/language"

export const fileKinds: ReadonlyArray<RegisteredFileKind> = [
  { kind: "WorkflowTest", load: async () => (await import("./testKind.ts")).testKind },
  { kind: "Evaluation", load: async () => (await import("./evaluationKind.ts")).evaluationKind },
]

/** What `kind:` of a file may be when such files are read. */
export const knownKinds: ReadonlyArray<string> = [...ownKinds, ...fileKinds.map(({ kind }) => kind)]
