/** Questions to movies: many missing values, titles that are numbers, values that are words of grammar. */
import type { QuestionedTable } from "../Question.ts"

export const movies: QuestionedTable = {
  file: "movies.json",
  from: "vega-datasets",
  read: "read_json($file, sample_size = -1)",
  questions: [
    {
      ask: "Total worldwide gross by major genre",
      needs: ["metrics:Worldwide Gross", "group_by:Major Genre", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Major Genre", sum("Worldwide Gross") AS "Worldwide Gross" FROM $table GROUP BY 1',
    },
    {
      ask: "average imdb rating per genre, only 2009",
      needs: [
        "metrics:IMDB Rating",
        "group_by:Major Genre",
        "analysis:average",
        "filter:Release Date = 2009",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT "Major Genre", avg("IMDB Rating") AS "IMDB Rating" FROM $table
            WHERE "Release Date"::varchar LIKE '%2009%' GROUP BY 1`,
    },
    {
      ask: "How many movies per MPAA rating?",
      needs: ["group_by:MPAA Rating", "analysis:count"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "MPAA Rating", count(*) AS count FROM $table GROUP BY 1',
    },
    {
      ask: "movies where the director is missing",
      needs: ["analysis:filter", "filter:Director is missing"],
      tools: ["filter"],
      sql: 'SELECT "US Gross", "Director" FROM $table WHERE "Director" IS NULL',
    },
    {
      ask: "average budget for each creative type",
      needs: ["metrics:Production Budget", "group_by:Creative Type", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Creative Type", avg("Production Budget") AS "Production Budget" FROM $table GROUP BY 1',
    },
    {
      ask: "How many movies are rated R?",
      needs: ["analysis:count", "filter:MPAA Rating = R"],
      tools: ["filter", "aggregate"],
      sql: `SELECT count(*) AS count FROM $table WHERE "MPAA Rating" = 'R'`,
    },
  ],
}
