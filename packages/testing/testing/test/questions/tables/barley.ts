/** Questions to barley yields of two years. */
import type { QuestionedTable } from "../Question.ts"

export const barley: QuestionedTable = {
  file: "barley.json",
  from: "vega-datasets",
  read: "read_json($file)",
  questions: [
    {
      ask: "Average yield by variety",
      needs: ["metrics:yield", "group_by:variety", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT variety, avg(yield) AS yield FROM $table GROUP BY 1",
    },
    {
      ask: "total yield by site and year",
      needs: ["metrics:yield", "group_by:site", "group_by:year", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT site, year, sum(yield) AS yield FROM $table GROUP BY 1, 2",
    },
    {
      ask: "Compare 1931 vs 1932 yield by site",
      needs: [
        "metrics:yield",
        "group_by:year",
        "group_by:site",
        "analysis:compare",
        "filter:year in 1931, 1932",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT year, site, sum(yield) AS yield FROM $table WHERE year IN (1931, 1932) GROUP BY 1, 2",
    },
  ],
}
