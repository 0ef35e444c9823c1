import type { DataProfile } from "@planloom/tables"
import { describe, expect, it } from "vitest"
import { reads } from "../../test/reads.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import { extractRequirements } from "./extractRequirements.ts"

const cases: ReadonlyArray<readonly [question: string, ...ids: ReadonlyArray<string>]> = [
  [
    "sales and units by region and category",
    "metrics:revenue",
    "metrics:units",
    "group_by:region",
    "group_by:product_category",
  ],
  [
    "share of sales by category in 2023",
    "metrics:revenue",
    "group_by:product_category",
    "analysis:share",
    "filter:date = 2023",
  ],
  [
    "share of revenue by region within Toys",
    "metrics:revenue",
    "group_by:region",
    "analysis:share",
    "filter:product_category = Toys",
  ],
  [
    "top 5 categories in each region by revenue",
    "metrics:revenue",
    "group_by:region",
    "group_by:product_category",
    "analysis:ranking",
    "top_n:top 5 per region",
  ],
  [
    "top 3 regions per category by units",
    "metrics:units",
    "group_by:region",
    "group_by:product_category",
    "analysis:ranking",
    "top_n:top 3 per product_category",
  ],
  [
    "what was the best month for sales in each region",
    "metrics:revenue",
    "group_by:region",
    "time:month",
    "analysis:ranking",
    "top_n:top 1 per region",
  ],
  [
    "top 5 products by sales",
    "metrics:revenue",
    "group_by:product_category",
    "analysis:ranking",
    "top_n:top 5",
  ],
  [
    "moving average of revenue over 3 months",
    "metrics:revenue",
    "analysis:moving_average",
    "time:month",
    "window:3",
  ],
  [
    "7-day rolling average of units by region",
    "metrics:units",
    "group_by:region",
    "analysis:moving_average",
    "time:day",
    "window:7",
  ],
  [
    "forecast revenue for the next 6 months",
    "metrics:revenue",
    "analysis:forecast",
    "time:month",
    "horizon:6",
  ],
  [
    "revenue since October 2024, forecast",
    "metrics:revenue",
    "analysis:forecast",
    "filter:date >= 2024-10",
    "time:date",
  ],
  ["predict revenue next year", "metrics:revenue", "analysis:forecast", "time:year", "horizon:1"],
  [
    "forecast revenue for next month",
    "metrics:revenue",
    "analysis:forecast",
    "time:month",
    "horizon:1",
  ],
  ["did revenue increase?", "metrics:revenue", "analysis:trend", "time:date"],
  ["revenue by region sorted descending", "metrics:revenue", "group_by:region", "analysis:ranking"],
  [
    "ratio of returns to units by region",
    "metrics:returns",
    "metrics:units",
    "group_by:region",
    "analysis:ratio",
  ],
  ["share of returns to revenue", "metrics:returns", "metrics:revenue", "analysis:ratio"],
  ["revenue per unit", "metrics:revenue", "metrics:units", "analysis:ratio"],
  [
    "difference between units and returns by region",
    "metrics:units",
    "metrics:returns",
    "group_by:region",
    "analysis:difference",
  ],
  [
    "change in revenue from 2022 to 2023",
    "metrics:revenue",
    "analysis:change",
    "time:year",
    "filter:date in 2022, 2023",
  ],
  [
    "growth of units from 2022 to 2024 in percent",
    "metrics:units",
    "analysis:change",
    "time:year",
    "filter:date in 2022, 2024",
  ],
  [
    "regions with total revenue over 10,000",
    "metrics:revenue",
    "group_by:region",
    "analysis:total",
    "having:revenue > 10000",
  ],
  [
    "categories where average units below 5",
    "metrics:units",
    "group_by:product_category",
    "analysis:average",
    "having:units < 5",
  ],
  ["regions with more than 5 orders", "group_by:region", "analysis:count", "having:count > 5"],
  [
    "which categories have at least 3 orders?",
    "group_by:product_category",
    "analysis:count",
    "having:count >= 3",
  ],
  ["what share of the orders is from North", "analysis:rate", "part:region = North"],
  [
    "percentage of orders with more than 10 units by region",
    "analysis:rate",
    "group_by:region",
    "part:units > 10",
  ],
  [
    "what share of orders in North is Toys",
    "analysis:rate",
    "filter:region = North",
    "part:product_category = Toys",
  ],
  ["revenue by weekday", "metrics:revenue", "group_by:weekday", "time_part:weekday"],
  [
    "total units on Mondays",
    "metrics:units",
    "analysis:total",
    "time_part:weekday",
    "filter:weekday in Monday",
  ],
  [
    "average units by month of the year",
    "metrics:units",
    "analysis:average",
    "group_by:month",
    "time_part:month",
  ],
  [
    "scatter plot of units against revenue",
    "metrics:units",
    "metrics:revenue",
    "analysis:correlation",
    "outputs:chart",
    "chart_type:scatter",
  ],
  [
    "stacked bar chart of revenue by region",
    "metrics:revenue",
    "group_by:region",
    "outputs:chart",
    "chart_type:stacked_bar",
  ],
  ["revenue ignoring outliers", "metrics:revenue"],
]

/** Ids of the requirements of a question that is answered. */
const idsRead = (question: string, profile: DataProfile): ReadonlyArray<string> => {
  const found = extractRequirements(question, profile)
  expect(found.question ?? found.refusal).toBeUndefined()
  return listRequirements(found.requirements)
    .map(({ id }) => id)
    .toSorted()
}

describe("extractRequirements", () => {
  it.each(cases)("understands: %s", (question, ...ids) => {
    const { ids: found, isConfident } = reads(question)
    expect(found).toEqual(ids.toSorted())
    expect(isConfident).toBe(true)
  })

  it.each([
    ["rows where average units below 5", /which groups "average units below 5" is about/],
    ["conversion rate by region", /"conversion rate"/],
    ["orders lighter than 5 kg", /"lighter than 5 kg"/],
    ["revenue of orders treated by region", /"treated"/],
    ["revenue excluding Europe", /"Europe"/],
    ["quarterly revenue forecast for the next year", /"next"/],
    ["share of revenue", /The share of each what: region, product_category/],
    ["what percentage of revenue came from North?", /The share of each what: region/],
    ["when was revenue highest", /"when"/],
  ])("asks about an ambiguous question: %s", (question, asked) => {
    const found = reads(question)
    expect(found.asked).toMatch(asked)
    expect(found.isConfident).toBe(false)
  })
})

describe("yes/no columns, counts and limits", () => {
  const candies: DataProfile = {
    title: "candies",
    rows: 85,
    columns: [
      { name: "name", type: "string" },
      { name: "maker", type: "string", distinct: ["Mars", "Haribo"] },
      { name: "chocolate", type: "integer", min: 0, max: 1, distinct: [0, 1] },
      { name: "fruity", type: "integer", min: 0, max: 1, distinct: [0, 1] },
      { name: "price", type: "number" },
    ],
  }
  it.each([
    [
      "how many candies are both chocolate and fruity?",
      ["analysis:count", "filter:chocolate = 1", "filter:fruity = 1"],
    ],
    ["how many candies are not fruity?", ["analysis:count", "filter:fruity = 0"]],
    [
      "which maker has the most candies?",
      ["analysis:count", "analysis:ranking", "group_by:maker", "top_n:top 1"],
    ],
    [
      "what share of the chocolate candies is fruity?",
      ["analysis:rate", "filter:chocolate = 1", "part:fruity = 1"],
    ],
    ["how many non-fruity candies are there?", ["analysis:count", "filter:fruity = 0"]],
    [
      "makers with fewer than 20 price in total",
      ["analysis:total", "group_by:maker", "having:price < 20", "metrics:price"],
    ],
    [
      "2 makers with the highest price",
      ["analysis:ranking", "group_by:maker", "metrics:price", "top_n:top 2"],
    ],
  ])("reads: %s", (question, expected) => {
    expect(idsRead(question, candies)).toEqual(expected)
  })
})

describe("questions about a table of people", () => {
  const victims: DataProfile = {
    title: "accidents",
    rows: 467,
    columns: [
      { name: "name", type: "string" },
      { name: "age", type: "number", min: 2, max: 90 },
      { name: "sex", type: "string", distinct: ["F", "M"] },
      { name: "city", type: "string", distinct: ["Bergen", "Oslo"] },
      { name: "pop", type: "integer", min: 100, max: 90_000 },
      { name: "year", type: "number", min: 2010, max: 2015, nulls: 3 },
      { name: "insured", type: "string", distinct: ["No", "Unknown", "Yes"] },
      { name: "cost", type: "number" },
    ],
  }
  it.each([
    ["how many people were insured?", ["analysis:count", "filter:insured = Yes"]],
    [
      "which was the oldest victim in 2013?",
      ["analysis:ranking", "filter:year = 2013", "metrics:age", "top_n:top 1"],
    ],
    [
      "do insured people have a higher cost on average?",
      ["analysis:average", "analysis:compare", "group_by:insured", "metrics:cost"],
    ],
    [
      "how much older are men than women?",
      ["analysis:compare", "filter:sex in M, F", "group_by:sex", "metrics:age"],
    ],
    [
      "cities with at least 20 uninsured",
      ["analysis:count", "filter:insured = No", "group_by:city", "having:count >= 20"],
    ],
    ["share of the people due to Oslo", ["analysis:rate", "part:city = Oslo"]],
    ["average cost from 2013", ["analysis:average", "filter:year = 2013", "metrics:cost"]],
    [
      "city with the highest cost",
      ["analysis:ranking", "group_by:city", "metrics:cost", "top_n:top 1"],
    ],
    [
      "5 cities with the most people",
      ["analysis:count", "analysis:ranking", "group_by:city", "top_n:top 5"],
    ],
  ])("reads: %s", (question, expected) => {
    expect(idsRead(question, victims)).toEqual(expected)
  })

  it.each([
    ["how many men are under 25?", "25"],
    ["how many people were harmed?", "harmed"],
    ["who was the oldest victim?", "who"],
  ])(
    "asks about a number, a verb and a question word that no column is named for: %s",
    (question, open) => {
      expect(extractRequirements(question, victims).question?.about).toBe(open)
    },
  )
})

describe("names of columns in other words", () => {
  const majors: DataProfile = {
    title: "majors",
    rows: 173,
    columns: [
      { name: "Major", type: "string", unique: true },
      { name: "Total", type: "integer", min: 10, max: 90_000 },
      { name: "Men", type: "integer", min: 10, max: 90_000 },
      { name: "Women", type: "integer", min: 10, max: 90_000 },
      { name: "ShareWomen", type: "number", min: 0, max: 1 },
      { name: "Sector", type: "string", distinct: ["Health Care", "Law"] },
    ],
  }
  it.each([
    ["average share of women", ["analysis:average", "metrics:ShareWomen"]],
    ["majors of unknown total", ["analysis:filter", "filter:Total is missing"]],
    ["total women by sector", ["analysis:total", "group_by:Sector", "metrics:Women"]],
    ["majors with a share of women above 10%", ["analysis:filter", "filter:ShareWomen > 0.1"]],
    [
      "women as a percentage of men by sector",
      ["analysis:ratio", "group_by:Sector", "metrics:Men", "metrics:Women"],
    ],
  ])("reads: %s", (question, expected) => {
    const found = extractRequirements(question, majors)
    expect(found.question ?? found.refusal).toBeUndefined()
    const ids = listRequirements(found.requirements).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(expected)
  })

  it.each([
    "how many majors have more women than men?",
    "average number of majors",
    "median men in health",
  ])(
    "asks about a condition between columns, a mean of rows, a part of a value: %s",
    (question) => {
      const found = extractRequirements(question, majors)
      expect(found.question ?? found.refusal).toBeDefined()
    },
  )
})
