/** The experiments of a workflow: its own, those of its project and those of the hook sets that it uses. */
import type { LoadedWorkflow } from "@planloom/core"
import type { Experiments } from "@planloom/hooks/report"

export const experimentsOf = ({ resources }: LoadedWorkflow): Experiments =>
  Object.assign(
    {},
    ...(resources.pluginSections ?? []).flatMap(({ key, value }) =>
      key === "experiments" ? [value] : [],
    ),
  ) as Experiments
