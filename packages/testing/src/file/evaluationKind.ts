/** The kind of file that evaluates a workflow on rows. */
import { toJsonSchema } from "@planloom/core/shape"
import type { LoadedFileKind } from "@planloom/core"
import { evaluation } from "./evaluationShape.ts"
import { checkEvaluationFile } from "../check/checkEvaluationFile.ts"

export const evaluationKind: LoadedFileKind = {
  schema: toJsonSchema(evaluation, "Planloom Evaluation"),
  check: checkEvaluationFile,
}
