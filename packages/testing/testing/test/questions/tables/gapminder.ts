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
    {
      ask: "fertility in India over time",
      needs: [
        "metrics:fertility",
        "group_by:year",
        "time:year",
        "analysis:trend",
        "filter:country = India",
      ],
      tools: ["filter", "aggregate", "plot_line"],
      sql: "SELECT year, fertility FROM $table WHERE country = 'India'",
    },
    {
      ask: "Compare the life expectancy of South Africa and the United States over the years",
      needs: [
        "metrics:life_expect",
        "group_by:country",
        "group_by:year",
        "time:year",
        "analysis:compare",
        "analysis:trend",
        "filter:country in South Africa, United States",
      ],
      tools: ["filter", "aggregate", "plot_line"],
      sql: `SELECT country, year, life_expect FROM $table
            WHERE country IN ('South Africa', 'United States')`,
    },
    { ask: "Average income by country", asksBack: ["income", "life_expect"] },
  ],
}
