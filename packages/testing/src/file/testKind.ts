/** The kind of file that tests a workflow. */
import { toJsonSchema } from "@planloom/core/shape"
import type { LoadedFileKind } from "@planloom/core"
import { workflowTest } from "./workflowTestShape.ts"
import { checkTestFile } from "../check/checkTestFile.ts"

export const testKind: LoadedFileKind = {
  schema: toJsonSchema(workflowTest, "Planloom WorkflowTest"),
  check: checkTestFile,
}
