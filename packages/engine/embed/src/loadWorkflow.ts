/** Workflows from their files, for applications that do not use Effect. */
import type { LoadOptions } from "@planloom/language"
import { embedded, type EmbeddedWorkflow, type WorkflowTypes } from "./EmbeddedWorkflow.ts"
import { load } from "./Workflow.ts"

/** Loads and checks a workflow. Rejects with `WorkflowInvalid`, which holds every diagnostic. */
export const loadWorkflow = <W extends WorkflowTypes = WorkflowTypes>(
  path: string,
  options: LoadOptions = {},
): Promise<EmbeddedWorkflow<W>> => embedded<W>(path, load(path, options))
