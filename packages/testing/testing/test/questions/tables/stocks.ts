/** Questions to five stocks' monthly prices; dates are written `Jan 1 2000`. */
import type { QuestionedTable } from "../Question.ts"

export const stocks: QuestionedTable = {
  file: "stocks.csv",
  from: "vega-datasets",
  read: "(SELECT symbol, strptime(date, '%b %-d %Y')::date AS date, price FROM read_csv($file, types = {'date': 'VARCHAR'}))",
  questions: [
    {
      ask: "How did the price of each symbol develop over the years?",
      needs: ["metrics:price", "group_by:symbol", "time:year", "analysis:trend"],
      tools: ["aggregate", "plot_line"],
      sql: "SELECT date_trunc('year', date)::date AS date, symbol, avg(price) AS price FROM $table GROUP BY 1, 2",
    },
    {
      ask: "Average price by symbol, excluding MSFT",
      needs: ["metrics:price", "group_by:symbol", "analysis:average", "filter:symbol != MSFT"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: "SELECT symbol, avg(price) AS price FROM $table WHERE symbol <> 'MSFT' GROUP BY 1",
    },
    {
      ask: "AAPL vs GOOG: average price per year",
      needs: [
        "metrics:price",
        "group_by:symbol",
        "time:year",
        "analysis:compare",
        "analysis:average",
        "filter:symbol in AAPL, GOOG",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('year', date)::date AS date, symbol, avg(price) AS price
            FROM $table WHERE symbol IN ('AAPL', 'GOOG') GROUP BY 1, 2`,
    },
    {
      ask: "What was the highest price per symbol?",
      needs: ["metrics:price", "group_by:symbol", "analysis:maximum"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT symbol, max(price) AS price FROM $table GROUP BY 1",
    },
    {
      ask: "Plot the monthly price of IBM",
      needs: ["metrics:price", "time:month", "outputs:chart", "filter:symbol = IBM"],
      tools: ["filter", "aggregate", "plot_line"],
      sql: "SELECT date, price FROM $table WHERE symbol = 'IBM'",
    },
    { ask: "What is the trading volume by symbol?", asksBack: ["trading volume", "price"] },
  ],
}
