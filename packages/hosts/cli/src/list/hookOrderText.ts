/** The order of hooks as text: each point with the hooks that run there. */
import type { PointOrder } from "@planloom/core/internal"
import { formatDuration } from "@planloom/plugin/duration"
import type { Style } from "../terminal/Style.ts"
import { definitions } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"

type OrderedHook = PointOrder["hooks"][number]

export const hookOrderText = (order: ReadonlyArray<PointOrder>, style: Style): string =>
  order
    .map(({ hooks, point, stages }) => {
      const where = stages === undefined ? "the run" : stages.map(oneLine).join(", ")
      const rows = hooks.map(
        (hook, index) =>
          [`${index + 1}  ${style.name(oneLine(hook.id))}`, [detailsOf(hook).join(", ")]] as const,
      )
      return `${point} ${style.dim(where)}\n${definitions(rows, "  ").join("\n")}`
    })
    .join("\n\n")

const detailsOf = (hook: OrderedHook): ReadonlyArray<string> => [
  hook.kind,
  ...(hook.phase === "normal" ? [] : [`phase ${hook.phase}`]),
  ...(hook.before.length === 0 ? [] : [`before ${hook.before.join(" and ")}`]),
  ...(hook.after.length === 0 ? [] : [`after ${hook.after.join(" and ")}`]),
  `priority ${hook.priority}`,
  ...Object.values(hook.only ?? {}).map((names) => `only ${names.join(" or ")}`),
  ...(hook.when === undefined ? [] : [`when ${oneLine(hook.when)}`]),
  `within ${formatDuration(hook.timeout)} or ${hook.onError}`,
]
