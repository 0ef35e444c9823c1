/** Questions to penguins: units in the names, missing values, a stray `.` among the sexes. */
import type { QuestionedTable } from "../Question.ts"

export const penguins: QuestionedTable = {
  file: "penguins.json",
  from: "vega-datasets",
  read: "read_json($file)",
  questions: [
    {
      ask: "Average body mass by species and sex",
      needs: ["metrics:Body Mass (g)", "group_by:Species", "group_by:Sex", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Species", "Sex", avg("Body Mass (g)") AS "Body Mass (g)" FROM $table GROUP BY 1, 2',
    },
    {
      ask: "How many penguins live on each island?",
      needs: ["group_by:Island", "analysis:count"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "Island", count(*) AS count FROM $table GROUP BY 1',
    },
    {
      ask: "average Flipper Length (mm) of Adelie penguins by island",
      needs: [
        "metrics:Flipper Length (mm)",
        "group_by:Island",
        "analysis:average",
        "filter:Species = Adelie",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT "Island", avg("Flipper Length (mm)") AS "Flipper Length (mm)"
            FROM $table WHERE "Species" = 'Adelie' GROUP BY 1`,
    },
    {
      ask: "minimum and maximum body mass by species",
      needs: ["metrics:Body Mass (g)", "group_by:Species", "analysis:minimum", "analysis:maximum"],
      tools: ["aggregate", "plot_bar", "aggregate"],
      sql: 'SELECT "Species", min("Body Mass (g)") AS "Body Mass (g)" FROM $table GROUP BY 1',
      says: ["Maximum Body Mass (g)", "Gentoo 6,300"],
    },
  ],
}
