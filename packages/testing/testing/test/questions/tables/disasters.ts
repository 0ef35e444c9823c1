/** Questions to deaths by natural disasters: a column of years, a total among the parts. */
import type { QuestionedTable } from "../Question.ts"

export const disasters: QuestionedTable = {
  file: "disasters.csv",
  from: "vega-datasets",
  read: "read_csv($file)",
  questions: [
    {
      ask: "deaths from drought over the years",
      needs: [
        "metrics:Deaths",
        "group_by:Year",
        "time:Year",
        "analysis:trend",
        "filter:Entity = Drought",
      ],
      tools: ["filter", "aggregate", "plot_line"],
      sql: `SELECT "Year", sum("Deaths") AS "Deaths" FROM $table WHERE "Entity" = 'Drought' GROUP BY 1`,
    },
    {
      ask: "Top 3 entities by deaths, excluding All natural disasters",
      needs: [
        "metrics:Deaths",
        "group_by:Entity",
        "analysis:ranking",
        "top_n:top 3",
        "filter:Entity != All natural disasters",
      ],
      tools: ["filter", "aggregate", "top_n", "plot_bar"],
      sql: `SELECT "Entity", sum("Deaths") AS "Deaths" FROM $table
            WHERE "Entity" <> 'All natural disasters' GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
      ordered: true,
    },
  ],
}
