/** Questions to the support tickets: semicolons, names with spaces, moments, gaps. */
import type { QuestionedTable } from "../Question.ts"

export const supportTickets: QuestionedTable = {
  file: "support_tickets.csv",
  from: "examples",
  read: "read_csv($file, delim = ';')",
  questions: [
    {
      ask: "How many urgent tickets per month?",
      needs: ["time:month", "analysis:count", "filter:priority = urgent"],
      tools: ["filter", "aggregate"],
      sql: `SELECT date_trunc('month', "opened at")::date AS "opened at", count(*) AS count
            FROM $table WHERE priority = 'urgent' GROUP BY 1`,
    },
    {
      ask: "Average satisfaction by channel and priority",
      needs: ["metrics:satisfaction", "group_by:channel", "group_by:priority", "analysis:average"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT channel, priority, avg(satisfaction) AS satisfaction FROM $table GROUP BY ALL",
    },
    {
      ask: "How many tickets have no satisfaction score?",
      needs: ["analysis:count", "filter:satisfaction is missing"],
      tools: ["filter", "aggregate"],
      sql: "SELECT count(*) AS count FROM $table WHERE satisfaction IS NULL",
    },
    {
      ask: "tickets where hours to resolve is missing",
      needs: ["analysis:filter", "filter:hours to resolve is missing"],
      tools: ["filter"],
      sql: 'SELECT "ticket id", channel, priority, "hours to resolve" FROM $table WHERE "hours to resolve" IS NULL',
    },
    {
      ask: "median hours to resolve for Email and CHAT",
      needs: ["metrics:hours to resolve", "analysis:median", "filter:channel in email, chat"],
      tools: ["filter", "aggregate"],
      sql: `SELECT median("hours to resolve") AS "hours to resolve" FROM $table WHERE channel IN ('email', 'chat')`,
    },
    {
      ask: "highest hours to resolve by product category",
      needs: ["metrics:hours to resolve", "group_by:product category", "analysis:maximum"],
      tools: ["aggregate", "plot_bar"],
      sql: 'SELECT "product category", max("hours to resolve") AS "hours to resolve" FROM $table GROUP BY 1',
    },
    {
      ask: "bottom 2 channels by satisfaction",
      needs: ["metrics:satisfaction", "group_by:channel", "analysis:ranking", "top_n:bottom 2"],
      tools: ["aggregate", "top_n", "plot_bar"],
      sql: "SELECT channel, avg(satisfaction) AS satisfaction FROM $table GROUP BY 1 ORDER BY 2 LIMIT 2",
      ordered: true,
    },
    { ask: "longest hours to resolve by product category", asksBack: ["longest"] },
    { ask: "How many tickets mention refund?", asksBack: ["mention"] },
  ],
}
