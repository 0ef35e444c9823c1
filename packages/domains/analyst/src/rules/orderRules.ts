/** Order rules over tables: conditions, then groups, then limits, then charts. */
import type { Tool } from "@planloom/plugin/effect"
import type { OrderRule } from "@planloom/planning"
import type { Requirements } from "../requirements/Requirements.ts"
import { aggregates, drawsChart, hasRole, namesIn } from "./ToolRoles.ts"
import { specialtiesOf } from "./serves.ts"

/** A tool that draws grouped or timed data needs the aggregate before it, unless it groups itself. */
const needsAggregate = (tool: Tool): boolean =>
  drawsChart(tool) &&
  !hasRole(tool, "group_by") &&
  specialtiesOf(tool).length === 0 &&
  !aggregates(tool)

export const orderRules = ({ time }: Requirements): ReadonlyArray<OrderRule> => [
  {
    code: "aggregate_before_plot",
    first: ["group_by", "time"],
    counting: { givesNo: "chart" },
    later: { gives: "chart" },
    when: ({ kind, label }, step, tool) => {
      if (!needsAggregate(tool)) return false
      const shown = namesIn(tool, step.params, ["x", "color", "facet"])
      if (kind === "group_by") return shown.includes(label)
      // Without a requested grain, a chart of raw rows over time is correct.
      return time.grain !== "unknown" && shown.includes(time.column)
    },
    missing: "aggregate",
    message: "{step} draws {label} before anything groups by it",
  },
  {
    code: "filter_before_use",
    first: ["filter"],
    later: { takes: "table", cannot: ["filter", "parse_datetime", "datetime"] },
    message: "{step} works on rows that {label} should have left out",
  },
  {
    code: "limit_before_plot",
    first: ["top_n"],
    later: { gives: "chart" },
    when: (_, __, tool) => specialtiesOf(tool).length === 0,
    message: "{step} draws more than the {label}",
  },
  {
    // A limit must apply to groups, not to raw rows.
    code: "limit_before_plot",
    first: ["group_by"],
    later: { kind: "top_n" },
    message: "{step} cuts off rows before they are grouped",
  },
]
