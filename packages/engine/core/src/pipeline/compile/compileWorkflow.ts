/** A checked workflow, with those that its stages run → a pipeline that is ready to run. */
import type { CheckedWorkflow } from "@planloom/language"
import { compile } from "./compile.ts"
import { compilePrompts } from "@planloom/prompt/compile"
import { ModelRegistry } from "../ModelRegistry.ts"
import type { Pipeline } from "../Pipeline.ts"

/** A workflow that may run. */
export interface LoadedWorkflow extends Pick<
  CheckedWorkflow,
  "definition" | "modes" | "resources" | "secrets" | "keep"
> {
  readonly pipeline: Pipeline
}

/** Total: a workflow without errors compiles. */
export const compileWorkflow = (checked: CheckedWorkflow): LoadedWorkflow => {
  const { definition, keep, modes, resources, secrets } = checked
  return {
    pipeline: pipelineOf(checked),
    definition,
    modes,
    resources,
    secrets,
    ...(keep === undefined ? {} : { keep }),
  }
}

const pipelineOf = ({
  definition,
  inputs,
  listProblems,
  liveTools,
  modes,
  resources,
  roots,
  tools,
  workflows,
}: CheckedWorkflow): Pipeline =>
  compile(definition, {
    inputs,
    resources,
    tools,
    liveTools,
    listProblems,
    facts: resources.facts ?? new Map(),
    roots,
    models: new ModelRegistry(definition, resources.components.providers, resources.facts),
    prompts: compilePrompts(modes, resources.sections),
    workflows: new Map([...workflows].map(([path, inner]) => [path, pipelineOf(inner)])),
  })
