/** Questions to the cars of 1970 to 1982: names with underscores and units, gaps in two columns. */
import type { QuestionedTable } from "../Question.ts"

export const cars: QuestionedTable = {
  file: "cars.json",
  from: "vega-datasets",
  read: "read_json($file)",
  questions: [
    {
      ask: "Average horsepower by origin",
      needs: ["metrics:Horsepower", "group_by:Origin", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Origin", avg("Horsepower") AS "Horsepower" FROM $table GROUP BY 1',
    },
    {
      ask: "mean Miles per Gallon by number of cylinders",
      needs: ["metrics:Miles_per_Gallon", "group_by:Cylinders", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Cylinders", avg("Miles_per_Gallon") AS "Miles_per_Gallon" FROM $table GROUP BY 1',
    },
    {
      ask: "Top 5 cars by weight",
      needs: ["metrics:Weight_in_lbs", "analysis:ranking", "top_n:top 5"],
      tools: ["top_n"],
      sql: 'SELECT "Name", "Weight_in_lbs" FROM $table ORDER BY "Weight_in_lbs" DESC LIMIT 5',
      ordered: true,
    },
    {
      ask: "How many cars from Japan have more than 100 horsepower?",
      needs: ["analysis:count", "filter:Origin = Japan", "filter:Horsepower > 100"],
      tools: ["filter", "aggregate"],
      sql: `SELECT count(*) AS count FROM $table WHERE "Origin" = 'Japan' AND "Horsepower" > 100`,
    },
    {
      ask: "Compare the average weight and displacement by origin",
      needs: [
        "metrics:Weight_in_lbs",
        "metrics:Displacement",
        "group_by:Origin",
        "analysis:compare",
        "analysis:average",
      ],
      tools: ["aggregate", "plot_bar"],
      sql: `SELECT "Origin", avg("Weight_in_lbs") AS "Weight_in_lbs", avg("Displacement") AS "Displacement"
            FROM $table GROUP BY 1`,
    },
    {
      ask: "Which origin has the highest average acceleration?",
      needs: [
        "metrics:Acceleration",
        "group_by:Origin",
        "analysis:ranking",
        "analysis:average",
        "top_n:top 1",
      ],
      tools: ["aggregate", "top_n", "plot_bar"],
      sql: 'SELECT "Origin", avg("Acceleration") AS "Acceleration" FROM $table GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
      ordered: true,
    },
  ],
}
