/** An evaluation's path → what it says and where each part of it stands. */
import { stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { decodeAs, locateProblem, sortDiagnostics, beside, Reading } from "@planloom/language"
import type { Diagnostic, Document, SourceFile } from "@planloom/language"
import type { Evaluation } from "./Evaluation.ts"
import { evaluation as shape } from "./evaluationShape.ts"
import { rowsMisnamed } from "../rows/readRows.ts"
import { knownKinds } from "./knownKinds.ts"

export interface ReadEvaluation {
  /** Undefined when the file cannot be read as YAML. */
  readonly document: Document | undefined
  /** Undefined when the file is of another kind. Where something is wrong, a harmless value stands in. */
  readonly evaluation: Evaluation | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** Never fails: whatever is wrong is a diagnostic. Of a file of rows it says only whether it can be one. */
export const readEvaluation = (
  path: string,
  texts?: ReadonlyMap<string, string>,
): Effect.Effect<ReadEvaluation> =>
  Effect.promise(async () => {
    const reading = new Reading(texts)
    const document = await reading.document(path)
    const evaluation =
      document && reading.decoded(decodeAs("Evaluation", shape, document, knownKinds))
    const data = evaluation?.data ?? ""
    const wrong = data === "" ? undefined : await unreadable(beside(path, data))
    if (wrong !== undefined) {
      reading.diagnostics.push(
        locateProblem(document!, {
          code: "PL4011",
          message: `"${data}" cannot be read: ${wrong}`,
          path: ["data"],
          help: "the path starts at the folder of this file",
        }),
      )
    }
    return {
      document,
      evaluation,
      diagnostics: sortDiagnostics(reading.diagnostics),
      sources: reading.sources,
    }
  })

const unreadable = async (path: string): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return "the file does not exist"
  return found.isFile() ? rowsMisnamed(path) : "this is not a regular file"
}
