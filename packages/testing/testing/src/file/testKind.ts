/** The kind of file that tests a workflow. */
import { toJsonSchema } from "@planloom/language/shape"
import type { LoadedFileKind } from "@planloom/language"
import { workflowTest } from "./workflowTestShape.ts"
import { checkTestFile } from "../check/checkTestFile.ts"

export const testKind: LoadedFileKind = {
  schema: toJsonSchema(workflowTest, "Planloom WorkflowTest"),
  check: checkTestFile,
}
