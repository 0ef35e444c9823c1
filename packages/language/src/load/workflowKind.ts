/** The kind of file that is run: checked with all that it names. */
import * as Effect from "effect/Effect"
import { schemaOf } from "../definition/schemaOf.ts"
import { checkWorkflow } from "./checkWorkflow.ts"
import type { LoadedFileKind } from "./FileKinds.ts"

export const workflowKind: LoadedFileKind = {
  schema: schemaOf("Workflow"),
  check: (path, options) =>
    Effect.map(
      Effect.scoped(checkWorkflow(path, options, "check")),
      ({ diagnostics, sources }) => ({ file: path, diagnostics, sources }),
    ),
}
