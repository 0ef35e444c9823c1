/** The kind of file that evaluates a workflow on rows. */
import { toJsonSchema } from "@planloom/language/shape"
import type { LoadedFileKind } from "@planloom/language"
import { evaluation } from "./evaluationShape.ts"
import { checkEvaluationFile } from "../check/checkEvaluationFile.ts"

export const evaluationKind: LoadedFileKind = {
  schema: toJsonSchema(evaluation, "Planloom Evaluation"),
  check: checkEvaluationFile,
}
