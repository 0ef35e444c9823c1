/** Questions to the sales table: one row per day, region and product category. */
import type { QuestionedTable } from "../Question.ts"

export const sales: QuestionedTable = {
  file: "sales.csv",
  from: "examples",
  read: "read_csv($file)",
  questions: [
    {
      ask: "What is the average revenue and median units by region and product category?",
      needs: [
        "metrics:revenue",
        "metrics:units",
        "group_by:region",
        "group_by:product_category",
        "analysis:average",
        "analysis:median",
      ],
      tools: ["aggregate", "plot_bar", "aggregate"],
      sql: "SELECT region, product_category, avg(revenue) AS revenue, avg(units) AS units FROM $table GROUP BY ALL",
      says: ["Median units by region and product category"],
    },
    {
      ask: "Sales by category excluding Europe",
      needs: ["metrics:revenue", "group_by:product_category", "filter:region != Europe"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT product_category, sum(revenue) AS revenue FROM $table WHERE region <> 'Europe' GROUP BY 1",
      says: ['"Sales" read as revenue'],
    },
    {
      ask: "Revenue in Q2 2023 by region",
      needs: ["metrics:revenue", "group_by:region", "filter:date = 2023-Q2"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT region, sum(revenue) AS revenue FROM $table WHERE date BETWEEN '2023-04-01' AND '2023-06-30' GROUP BY 1",
    },
    {
      ask: "Compare Europe vs North America revenue per year",
      needs: [
        "metrics:revenue",
        "group_by:region",
        "time:year",
        "analysis:compare",
        "filter:region in Europe, North America",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('year', date)::date AS date, region, sum(revenue) AS revenue
            FROM $table WHERE region IN ('Europe', 'North America') GROUP BY 1, 2`,
    },
    {
      ask: "Revenue in 2023 compared with 2024 by region",
      needs: [
        "metrics:revenue",
        "group_by:region",
        "time:year",
        "analysis:compare",
        "filter:date in 2023, 2024",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('year', date)::date AS date, region, sum(revenue) AS revenue
            FROM $table WHERE year(date) IN (2023, 2024) GROUP BY 1, 2`,
    },
    {
      ask: "Average revnue per reigon as a table, no chart",
      needs: [
        "metrics:revenue",
        "group_by:region",
        "analysis:average",
        "outputs:table",
        "exclude:chart",
      ],
      tools: ["aggregate"],
      sql: "SELECT region, avg(revenue) AS revenue FROM $table GROUP BY 1",
      says: ['"revnue" read as revenue'],
    },
    {
      // A contradiction: what is refused is not made.
      ask: "Show me a chart of revenue by region but no chart",
      needs: ["metrics:revenue", "group_by:region", "exclude:chart"],
      tools: ["aggregate"],
      sql: "SELECT region, sum(revenue) AS revenue FROM $table GROUP BY 1",
    },
    {
      // A contradiction in the conditions: no row can meet both.
      ask: "Total units in 2022 where revenue is above 1000000 by region",
      needs: [
        "metrics:units",
        "group_by:region",
        "analysis:total",
        "filter:date = 2022",
        "filter:revenue > 1000000",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT region, sum(units) AS units FROM $table WHERE year(date) = 2022 AND revenue > 1000000 GROUP BY 1",
      idle: ["plot_bar"],
    },
    {
      ask: "Which product category sold the least units in Latin America?",
      needs: [
        "metrics:units",
        "group_by:product_category",
        "analysis:ranking",
        "top_n:bottom 1",
        "filter:region = Latin America",
      ],
      tools: ["filter", "aggregate", "top_n", "plot_bar"],
      sql: `SELECT product_category, sum(units) AS units FROM $table
            WHERE region = 'Latin America' GROUP BY 1 ORDER BY 2 LIMIT 1`,
    },
    {
      ask: "Top 2 regions by returns, only 2023",
      needs: [
        "metrics:returns",
        "group_by:region",
        "analysis:ranking",
        "top_n:top 2",
        "filter:date = 2023",
      ],
      tools: ["filter", "aggregate", "top_n", "plot_bar"],
      sql: "SELECT region, sum(returns) AS returns FROM $table WHERE year(date) = 2023 GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
      ordered: true,
    },
    {
      ask: "Weekly returns since October 2024",
      needs: ["metrics:returns", "time:week", "filter:date >= 2024-10"],
      tools: ["filter", "aggregate", "plot_line"],
      sql: "SELECT date_trunc('week', date)::date AS date, sum(returns) AS returns FROM $table WHERE date >= '2024-10-01' GROUP BY 1",
    },
    {
      ask: "Were there any anomalies in monthly revenue in Europe?",
      needs: ["metrics:revenue", "time:month", "analysis:anomaly", "filter:region = Europe"],
      tools: ["filter", "aggregate", "detect_anomalies"],
      sql: "SELECT date_trunc('month', date)::date AS date, sum(revenue) AS revenue FROM $table WHERE region = 'Europe' GROUP BY 1",
      says: ["1 anomaly found", "Mar 2023"],
    },
    {
      ask: "REVENUE BY REGIONS, not in toys or home",
      needs: ["metrics:revenue", "group_by:region", "filter:product_category not in Toys, Home"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT region, sum(revenue) AS revenue FROM $table WHERE product_category NOT IN ('Toys', 'Home') GROUP BY 1",
    },
    {
      ask: "How many days had revenue over 20000?",
      needs: ["analysis:count", "filter:revenue > 20000"],
      tools: ["filter", "aggregate"],
      sql: "SELECT count(*) AS count FROM $table WHERE revenue > 20000",
    },
    {
      ask: "How many rows are there in 2031?",
      needs: ["analysis:count", "filter:date = 2031"],
      tools: ["filter", "aggregate"],
      sql: "SELECT 0 AS count",
    },
    {
      ask: "Total revenue by region in 2031",
      needs: ["metrics:revenue", "group_by:region", "analysis:total", "filter:date = 2031"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT region, sum(revenue) AS revenue FROM $table WHERE year(date) = 2031 GROUP BY 1",
      idle: ["plot_bar"],
      says: ["No rows match the question."],
    },
    { ask: "What is the profit margin by region?", asksBack: ["profit margin", "revenue"] },
    { ask: "Revenue of last year by region", asksBack: ["Which dates are"] },
    { ask: "Total revenue in Atlantis", asksBack: ["Atlantis"] },
    { ask: "Customers by region", asksBack: ["Customers"] },
  ],
}
