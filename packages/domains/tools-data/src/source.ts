/** The tool source: lists the table tools and runs them. */
import * as Effect from "effect/Effect"
import { ToolFailed, type Tool, type ToolSource } from "@planloom/plugin/effect"
import type { DataTool } from "./DataTool.ts"
import { summarize } from "./summarize.ts"
import { Progress } from "./duckdb/Progress.ts"
import { Roots } from "./file/Roots.ts"
import { aggregate } from "./tools/aggregate.ts"
import { change } from "./tools/change.ts"
import { compare_periods } from "./tools/compare_periods.ts"
import { compute_summary_stats } from "./tools/compute_summary_stats.ts"
import { correlation } from "./tools/correlation.ts"
import { describe } from "./tools/describe.ts"
import { detect_anomalies } from "./tools/detect_anomalies.ts"
import { difference } from "./tools/difference.ts"
import { exportTool } from "./tools/export.ts"
import { filter } from "./tools/filter.ts"
import { forecast_naive } from "./tools/forecast_naive.ts"
import { histogram } from "./tools/histogram.ts"
import { join } from "./tools/join.ts"
import { keep_groups } from "./tools/keep_groups.ts"
import { moving_average } from "./tools/moving_average.ts"
import { parse_datetime } from "./tools/parse_datetime.ts"
import { pivot } from "./tools/pivot.ts"
import { plot_bar } from "./tools/plot_bar.ts"
import { plot_box } from "./tools/plot_box.ts"
import { plot_correlation } from "./tools/plot_correlation.ts"
import { plot_forecast } from "./tools/plot_forecast.ts"
import { plot_heatmap } from "./tools/plot_heatmap.ts"
import { plot_histogram } from "./tools/plot_histogram.ts"
import { plot_line } from "./tools/plot_line.ts"
import { plot_scatter } from "./tools/plot_scatter.ts"
import { rate } from "./tools/rate.ts"
import { ratio } from "./tools/ratio.ts"
import { render_report } from "./tools/render_report.ts"
import { rows } from "./tools/rows.ts"
import { share } from "./tools/share.ts"
import { time_part } from "./tools/time_part.ts"
import { top_n } from "./tools/top_n.ts"

/** All tools, in display order. */
const tools: ReadonlyArray<DataTool> = [
  describe,
  rows,
  parse_datetime,
  time_part,
  filter,
  aggregate,
  keep_groups,
  top_n,
  share,
  rate,
  ratio,
  difference,
  change,
  compute_summary_stats,
  detect_anomalies,
  compare_periods,
  pivot,
  join,
  moving_average,
  histogram,
  correlation,
  forecast_naive,
  plot_line,
  plot_bar,
  plot_scatter,
  plot_histogram,
  plot_box,
  plot_heatmap,
  plot_correlation,
  plot_forecast,
  render_report,
  exportTool,
]

const byName = new Map(tools.map((tool) => [tool.tool.name, tool]))

/** The tools read data files and write to the run's folder only, where the same call writes the same file. */
const listed = tools.map(({ tool }): Tool => ({
  effect: "read",
  idempotent: true,
  searches: 0,
  summarize: summarize[tool.outputs[0]!]!,
  ...tool,
}))

export const source: ToolSource = {
  id: "tools_data",
  summary: "Table tools on DuckDB and charts with Vega-Lite.",
  list: Effect.succeed({ tools: listed }),
  call: (invocation) => {
    const { tool } = invocation
    const found = byName.get(tool)
    if (found === undefined)
      return Effect.fail(
        new ToolFailed({ tool, class: "invalid_request", message: `there is no tool ${tool}` }),
      )
    return found.run(invocation).pipe(
      Effect.map((value) => ({ value })),
      Effect.provideService(Progress, invocation.progress),
      // Another step may read what `export` wrote.
      Effect.provideService(Roots, [...invocation.roots, invocation.workspace]),
      Effect.mapError(
        (error) =>
          new ToolFailed({
            tool,
            class: error.class,
            message: error.message,
            ...(error.detail === undefined ? {} : { detail: error.detail }),
          }),
      ),
    )
  },
}
