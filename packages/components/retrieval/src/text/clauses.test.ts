/** Splitting of requests into clauses. */
import { expect, it } from "vitest"
import { clauses } from "./clauses.ts"

it.each([
  ["Total the revenue by region.", ["Total the revenue by region"]],
  [
    "Find anomalies in returns, and then plot them by month",
    ["Find anomalies in returns", "plot them by month"],
  ],
  [
    "What is the weather in Rome? Also book a hotel",
    ["What is the weather in Rome", "book a hotel"],
  ],
  ["Compare salt and pepper", ["Compare salt and pepper"]],
  ["Give me the news and tell me the time", ["Give me the news", "tell me the time"]],
  ["version 2.5 of node.js", ["version 2.5 of node.js"]],
  ["", []],
])("clauses splits %j", (text, expected) => {
  expect(clauses(text)).toEqual(expected)
})
