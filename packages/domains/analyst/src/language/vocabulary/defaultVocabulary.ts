/** The built-in English vocabulary of questions about tables. */
import type { Vocabulary } from "./Vocabulary.ts"

const split = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "")

const make = (): Vocabulary => ({
  analysis: {
    total: split(
      "total, totals, sum, sum up, summed, overall, altogether, in total, combined, how much, grand total, totalled",
    ),
    average: split("average, avg, mean, typical, on average, averaged, usual"),
    median: split("median, middle value"),
    minimum: split("minimum, min"),
    maximum: split("maximum, max"),
    count: split("count, counted, how many, number of, frequency, frequencies, how often"),
    distinct: split(
      "distinct, unique, how many different, how many distinct, how many unique, number of different, number of distinct, number of unique",
    ),
    compare: split(
      "compare, compared, comparing, comparison, comparative, versus, vs, differ, difference, differences, side by side, contrast, against each other, year over year, year on year, yoy, month over month, month on month, mom, quarter over quarter, qoq, relative to, better than, worse than",
    ),
    trend: split(
      "trend, trends, change, changes, changed, changing, trending, over time, over the years, over the months, over the weeks, through time, through the years, time series, timeline, develop, developed, development, developing, evolve, evolved, evolution, evolving, grow, grew, grown, growth, growing, decline, declined, declining, change over time, progression, progress, history, historical, trajectory, increase, increased, increases, increasing, decrease, decreased, decreases, decreasing, rise, rose, risen, rising, fell, fallen, falling, fall, falls, drop, dropped, dropping, improve, improved, improving, worsen, worsened, went up, went down, go up, go down, month by month, year by year, day by day, week by week, quarter by quarter",
    ),
    distribution: split(
      "distribution, distributions, distributed, histogram, spread, how spread, density, dispersion, box plot, boxplot, quartiles, percentiles",
    ),
    anomaly: split(
      "anomaly, anomalies, anomalous, outlier, outliers, unusual, unexpected, abnormal, abnormality, irregular, irregularity, irregularities, spike, spikes, dip, dips, odd, strange, weird, suspicious, stand out, stands out, stood out, out of the ordinary, something wrong, anything wrong, exception, exceptional",
    ),
    correlation: split(
      "correlation, correlation matrix, correlation heatmap, correlate, correlates, correlated, correlations, relationship, relation, related, relate, relates, associated, association, depend on, depends on, dependence, influence, influences, affect, affects, linked, link between, go together, scatter, scatterplot, scatter plot",
    ),
    ranking: split(
      "rank, ranks, ranked, ranking, sorted, sorted descending, descending, in descending order, highest first, largest first, from most to least, rankings, league table, leaderboard, sorted by, sort by, ordered by, order by, ranked by, in order of, from highest to lowest, from lowest to highest, best performing, worst performing, best selling, bestselling, top selling, best seller, leading",
    ),
    share: split(
      "share, share of, shares, percentage of, percent of, proportion, proportions, ratio of, contribution, contribute, contributes, makes up, make up, percentage breakdown, fraction",
    ),
    rate: split("rate, rates, percentage, percent, what percent, how many percent"),
    summary: split(
      "summary, summaries, summarize, summarise, summarized, summarised, overview, describe, description, profile, statistics, stats, key figures, key numbers, at a glance, tell me about, basic facts",
    ),
    filter: split(
      "list all, list the rows, show rows, show the rows, show me the rows, list rows, list orders, list records, show orders, show records, rows where, records where, orders where, entries where, which rows, find rows, find all",
    ),
    moving_average: split(
      "moving average, rolling average, running average, trailing average, moving mean, rolling mean, running mean, smoothed, smooth, smoothing",
    ),
    forecast: split(
      "forecast, forecasts, forecasting, predict, prediction, predictions, predicted, project, projection, extrapolate, expect next",
    ),
  },
  outputs: {
    chart: split(
      "chart, charts, graph, graphs, plot, plots, plotted, visualise, visualize, visualisation, visualization, visual, visuals, diagram, draw, drawn",
    ),
    table: split("table, tables, tabular, tabulate, tabulated, spreadsheet, as rows"),
    text: split("text, sentence, prose, in words, words only, text only"),
  },
  charts: {
    bar: split("bar chart, bar graph, bar plot, bars, column chart, barchart, bar diagram"),
    line: split("line chart, line graph, line plot, linechart, curve, curves"),
    scatter: split("scatter plot, scatterplot, scatter chart, scatter, scatter diagram"),
    histogram: split("histogram, histograms"),
    pie: split("pie chart, pie, donut chart, doughnut chart"),
    box: split("box plot, boxplot, box chart, box and whisker"),
    heatmap: split("heatmap, heat map"),
    stacked_bar: split(
      "stacked bar chart, stacked bar graph, stacked bar, stacked bars, stacked column chart, stacked columns, stacked chart, stacked",
    ),
    grouped_bar: split(
      "grouped bar chart, grouped bar graph, grouped bar, grouped bars, clustered bar chart, clustered bars",
    ),
  },
  grains: {
    hour: split("hour, hourly, by the hour, hours"),
    day: split("day, daily, days, day by day, per day"),
    week: split("week, weekly, weeks, week by week"),
    month: split("month, monthly, months, month by month, month over month, month on month, mom"),
    quarter: split("quarter, quarterly, quarters, quarter by quarter, quarter over quarter, qoq"),
    year: split(
      "year, yearly, annual, annually, annum, years, year by year, year over year, year on year, yoy, over the years, through the years",
    ),
  },
  synonyms: [
    split(
      "revenue, sale, sales, turnover, income, earnings, gross, takings, proceeds, money made, earned, sold, sell, sells",
    ),
    split("unit, quantity, qty, volume, amount sold, pieces, items sold, sold, sell, sells"),
    split("price, cost, costs, fee, charge, paid"),
    split("profit, margin, gain, net income"),
    split("category, type, kind, class, segment, genre"),
    split("region, area, territory, zone, market, location"),
    split("country, nation"),
    split("state, province"),
    split("city, town"),
    split("customer, client, buyer, shopper, account"),
    split("product, item, article, sku, goods"),
    split("employee, staff, worker"),
    split("return, refund, sent back"),
    split("rating, rated, score, stars, grade, vote"),
    split("maximum, max, highest, high"),
    split("minimum, min, lowest, low"),
    split("average, avg, mean"),
    split("precipitation, rain, rainfall"),
    split("speed, velocity"),
    split("length, duration, distance, runtime, running time"),
    split("gender, sex"),
    split("movie, film"),
    split("song, track"),
    split("churn, left, attrition"),
    split("name, title, label"),
    split("date, day, time, when"),
    split("year, yr"),
    split("temperature, temp"),
    split("horsepower, hp, power"),
    split("mileage, mpg, miles per gallon, fuel economy"),
    split("weight, mass"),
    split("origin, source country, made in"),
    split("population, people, inhabitants, pop"),
    split("budget, spend, spent, spending, expense, expenditure, cost"),
    split("death, die, died, dead, deceased, killed, killing, fatality, casualty, toll"),
    split("store, shop, branch, outlet"),
  ],
  most: {
    heaviest: "weight",
    hottest: "temperature",
    warmest: "temperature",
    wettest: "precipitation",
    rainiest: "precipitation",
    windiest: "wind",
    fastest: "speed",
    quickest: "speed",
    tallest: "height",
    longest: "length",
    biggest: "size",
    oldest: "age",
    richest: "income",
    "most expensive": "price",
    priciest: "price",
    dearest: "price",
    "most populous": "population",
    "most populated": "population",
    "most powerful": "horsepower",
    strongest: "magnitude",
    deepest: "depth",
    "best rated": "rating",
    "highest rated": "rating",
    "top rated": "rating",
    "most profitable": "profit",
    "highest grossing": "gross",
    "top grossing": "gross",
  },
  least: {
    lightest: "weight",
    coldest: "temperature",
    coolest: "temperature",
    driest: "precipitation",
    slowest: "speed",
    shortest: "length",
    youngest: "age",
    poorest: "income",
    cheapest: "price",
    "least expensive": "price",
    "least populous": "population",
    shallowest: "depth",
    "worst rated": "rating",
    "lowest rated": "rating",
    "least profitable": "profit",
    "lowest grossing": "gross",
  },
  negations: split(
    "no, without, not, don't, do not, dont, skip, omit, leave out, never, no need for, don't need, do not need, don't want, do not want, don't show, do not show, instead of, rather than, exclude, excluding, except, except for, not in, not for, not from, other than, ignoring, ignore, apart from, aside from, leaving out, but no, but without, but not, but not in, outside, outside of, minus, everything but, all but, isn't, is not, are not, aren't",
  ),
  rows: split(
    "row, record, entry, transaction, order, observation, line, case, data point, datapoint, event, purchase",
  ),
  silent: split(
    "data, dataset, data set, file, table, values, value, figures, amount, breakdown of, as follows, per annum, " +
      "make, create, produce, provide, generate, calculate, compute, work out, determine, analyse, analyze, analysis of, " +
      "report, report on, return me, present, using, visualise, based on, according to the data, live, lives, lived, performed, performs, perform, respectively, separately, " +
      "individually, happen, happened, happening, occur, occurred, recorded, exist, exists, took place, take place, " +
      "in terms of, with respect to, with regard to, regarding, concerning, kind of, sort of, came, come, comes, came from, come from, comes from, came in, come in, came through, terms, basis, level, " +
      "information, info, details, overall picture, curious, wondering about, quick, quickly, briefly",
  ),
})

let made: Vocabulary | undefined

/** Built at the first use: most commands read no question. */
export const defaultVocabulary = (): Vocabulary => (made ??= make())
