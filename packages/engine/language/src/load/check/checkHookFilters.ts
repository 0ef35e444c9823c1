/** Checks the points and filters of a hook in use. */
import type { AnyHook, HookFilter, HookUse } from "@planloom/plugin/effect"
import { filterPoints, pointsOf } from "@planloom/plugin/hooks"
import { hint } from "@planloom/expression/suggestion"
import type { Problem } from "../../definition/Problem.ts"
import type { PluginSection } from "../../definition/Resources.ts"
import { ownMember } from "../../definition/ownMember.ts"
import type { Analysis } from "../../definition/scope/Analysis.ts"
import { filterNames, type FilterKey } from "./hookFilterNames.ts"
import { inside } from "./locateHookUse.ts"

/** Why a hook runs at no point. */
export const nowhere = (
  section: PluginSection,
  use: HookUse,
  hook: AnyHook,
): ReadonlyArray<Problem> => {
  const own = pointsOf(hook)
  const foreign = use.points?.find((point) => !own.includes(point))
  const filter = (Object.keys(use.only ?? {}) as ReadonlyArray<keyof HookFilter>).find((key) =>
    (use.points ?? own).every((point) => !filterPoints[key].includes(point)),
  )
  const base = [...section.path, section.key]
  return [
    {
      code: "PL4028",
      message:
        foreign !== undefined
          ? `the hook "${hook.id}" cannot run at ${foreign}`
          : filter !== undefined
            ? `\`${filter}\` selects no call of the hook "${hook.id}", which runs at ${(use.points ?? own).join(", ")}`
            : `the filters of the hook "${hook.id}" select no call`,
      path: [...base, ...inside(section, use, foreign === undefined ? (filter ?? "use") : "point")],
      help:
        foreign !== undefined
          ? `its points are: ${own.join(", ")}`
          : filter !== undefined
            ? `it selects calls at ${filterPoints[filter].join(", ")}`
            : "remove one of them",
    },
  ]
}

/** Names in filters that the workflow does not have, so that the hook does not run for them. */
export const strayNames = (
  section: PluginSection,
  use: HookUse,
  analysis: Analysis,
): ReadonlyArray<Problem> =>
  (Object.entries(use.only ?? {}) as ReadonlyArray<[FilterKey, ReadonlyArray<string>]>).flatMap(
    ([key, names]) => {
      const known = filterNames[key](analysis)
      return names.flatMap((name, index) =>
        known.includes(name)
          ? []
          : [
              {
                code: "PL4043",
                severity: "warning" as const,
                message: `the workflow has no ${key} "${name}"`,
                path: [...section.path, section.key, ...inside(section, use, key, index)],
                help: modelsOf(key, name, analysis) ?? hint(name, known, "there are"),
              },
            ],
      )
    },
  )

/** For an alias in place of models. */
const modelsOf = (key: FilterKey, name: string, { definition }: Analysis): string | undefined => {
  const alias = key === "model" ? ownMember(definition.models, name) : undefined
  return alias && `"${name}" is an alias; its models are: ${alias.try.join(", ")}`
}
