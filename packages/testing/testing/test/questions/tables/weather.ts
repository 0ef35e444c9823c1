/** Questions to the daily weather of Seattle, 2012 to 2015. */
import type { QuestionedTable } from "../Question.ts"

export const weather: QuestionedTable = {
  file: "seattle-weather.csv",
  from: "vega-datasets",
  read: "read_csv($file)",
  questions: [
    {
      ask: "What is the average temp_max per month?",
      needs: ["metrics:temp_max", "time:month", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT date_trunc('month', date)::date AS date, avg(temp_max) AS temp_max FROM $table GROUP BY 1",
    },
    {
      ask: "How many days of each weather type were there?",
      needs: ["group_by:weather", "analysis:count"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT weather, count(*) AS count FROM $table GROUP BY 1",
    },
    {
      ask: "Total rainfall by year",
      needs: ["metrics:precipitation", "time:year", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT date_trunc('year', date)::date AS date, sum(precipitation) AS precipitation FROM $table GROUP BY 1",
    },
    {
      ask: "Top 5 days by precipitation",
      needs: ["metrics:precipitation", "analysis:ranking", "top_n:top 5"],
      tools: ["top_n"],
      sql: "SELECT precipitation FROM $table ORDER BY precipitation DESC LIMIT 5",
      ordered: true,
    },
    {
      ask: "avergae precipitaion per weather as a table, no chart",
      needs: [
        "metrics:precipitation",
        "group_by:weather",
        "analysis:average",
        "outputs:table",
        "exclude:chart",
      ],
      tools: ["aggregate"],
      sql: "SELECT weather, avg(precipitation) AS precipitation FROM $table GROUP BY 1",
    },
    {
      ask: "Compare precipitation in 2012 with 2015",
      needs: [
        "metrics:precipitation",
        "time:year",
        "analysis:compare",
        "filter:date in 2012, 2015",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('year', date)::date AS date, sum(precipitation) AS precipitation
            FROM $table WHERE year(date) IN (2012, 2015) GROUP BY 1`,
    },
    { ask: "What is the median temperature?", asksBack: ["temp_max or temp_min"] },
  ],
}
