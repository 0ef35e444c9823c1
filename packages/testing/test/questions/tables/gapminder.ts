/** Questions to countries every five years: a column of years, abbreviated names, many countries. */
import type { QuestionedTable } from "../Question.ts"

export const gapminder: QuestionedTable = {
  file: "gapminder.json",
  from: "vega-datasets",
  read: "read_json($file)",
  questions: [
    {
      ask: "Average life expectancy by year",
      needs: ["metrics:life_expect", "group_by:year", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT year, avg(life_expect) AS life_expect FROM $table GROUP BY 1",
    },
    {
      ask: "Total population per year by cluster",
      needs: ["metrics:pop", "group_by:year", "group_by:cluster", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT year, cluster, sum(pop) AS pop FROM $table GROUP BY 1, 2",
      says: ['"population" read as pop'],
    },
    {
      ask: "Top 10 countries by population in 2005",
      needs: [
        "metrics:pop",
        "group_by:country",
        "analysis:ranking",
        "filter:year = 2005",
        "top_n:top 10",
      ],
      tools: ["filter", "aggregate", "top_n", "plot_bar"],
      sql: "SELECT country, pop FROM $table WHERE year = 2005 ORDER BY pop DESC LIMIT 10",
      ordered: true,
    },
    { ask: "Average income by country", asksBack: ["income", "life_expect"] },
  ],
}
