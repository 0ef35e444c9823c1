/** Questions to employment in the United States: one column for each industry, dates in a column called month. */
import type { QuestionedTable } from "../Question.ts"

export const employment: QuestionedTable = {
  file: "us-employment.csv",
  from: "vega-datasets",
  read: "read_csv($file)",
  questions: [
    {
      ask: "How did manufacturing change per year?",
      needs: ["metrics:manufacturing", "time:year", "analysis:trend"],
      tools: ["aggregate", "plot_line"],
      sql: "SELECT date_trunc('year', month)::date AS month, sum(manufacturing) AS manufacturing FROM $table GROUP BY 1",
    },
    {
      ask: "total construction and government per quarter in 2010",
      needs: [
        "metrics:construction",
        "metrics:government",
        "time:quarter",
        "analysis:total",
        "filter:month = 2010",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('quarter', month)::date AS month, sum(construction) AS construction,
            sum(government) AS government FROM $table WHERE year(month) = 2010 GROUP BY 1`,
    },
    { ask: "How did manufacturing jobs change per year?", asksBack: ["jobs"] },
  ],
}
