/** Whether a hook that may change its draft is bound at a point, around a stage. */
import type { PointId } from "@planloom/plugin/effect"
import { hooksInUse } from "@planloom/plugin/hooks"
import type { DocumentPath } from "../Definition.ts"
import type { Resources } from "../Resources.ts"

/** A hook whose code is not loaded may be one. */
export const hasHookAt = (
  point: PointId,
  stage: DocumentPath,
  { components, pluginSections = [] }: Pick<Resources, "components" | "pluginSections">,
): boolean =>
  pluginSections.some(
    ({ bound, on, path }) =>
      path.every((segment, index) => segment === stage[index]) &&
      (bound.hooks ?? []).some((use) => {
        const hook = typeof use.use === "string" ? components.hooks.get(use.use) : use.use
        return (
          hook === undefined ||
          hooksInUse(use, hook, on).some((one) => one.point === point && one.kind === "transform")
        )
      }),
  )
