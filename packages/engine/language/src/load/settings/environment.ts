/** Applies an environment of the project, and the caller's settings, to a workflow. */
import { didYouMean } from "@planloom/expression/suggestion"
import type { Definition, ModelAlias } from "../../definition/Definition.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import type { FoundProject } from "../project.ts"
import type { Reading } from "../Reading.ts"
import type { Setting } from "./settings.ts"
import { ownMember } from "../../definition/ownMember.ts"
import { withNamedAliases } from "../namedAliases.ts"

/** An environment's settings come first, the caller's own last. */
export const settingsOf = (
  project: FoundProject | undefined,
  { environment, set = [] }: LoadOptions,
  reading: Reading,
): ReadonlyArray<Setting> => {
  if (environment === undefined) return set
  const declared = project?.project.environments ?? {}
  const chosen = ownMember(declared, environment)
  if (chosen === undefined) {
    const names = Object.keys(declared)
    reading.beside(
      project?.document.file.path ?? "planloom.yaml",
      "PL4014",
      `--env ${environment}`,
      `there is no environment "${environment}"; ${names.length === 0 ? "the project declares none" : `there are: ${names.join(", ")}`}`,
      didYouMean(environment, names),
    )
    return set
  }
  return [...Object.entries(chosen.set).map(([path, value]) => ({ path, value })), ...set]
}

/** Adds what the project declares for its workflows. Of models with one name the environment's wins, then the workflow's. */
export const withProject = (
  definition: Definition,
  project: FoundProject | undefined,
  { environment, modelsOverride }: LoadOptions,
): Definition => {
  const models: { readonly [alias: string]: ModelAlias } = {
    ...project?.project.models,
    ...definition.models,
    ...(environment === undefined
      ? {}
      : ownMember(project?.project.environments, environment)?.models),
  }
  const telemetry = definition.telemetry ?? project?.project.telemetry
  if (modelsOverride === undefined)
    return { ...definition, models: withNamedAliases(models), telemetry }
  return {
    ...definition,
    telemetry,
    models: Object.fromEntries(
      Object.entries(models).map(([name, alias]) => [name, { ...alias, try: modelsOverride }]),
    ),
  }
}
