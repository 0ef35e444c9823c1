/** Questions to small tables of everything that goes wrong in files. */
import type { QuestionedTable } from "../Question.ts"

/** One date each as 2024-01-31, 31.01.2024, 02/29/2024, 5 March 2024 and Mar 6, 2024, and one more with slashes. */
export const fiveDates: QuestionedTable = {
  file: "five_dates.csv",
  from: "generated",
  make: {
    text: `order,day,amount
1,2024-01-31,10
2,31.01.2024,20.5
3,02/29/2024,5
4,5 March 2024,7.25
5,"Mar 6, 2024",1
6,2025/03/07,4
`,
  },
  read: `(SELECT "order", amount, coalesce(try_strptime(day, '%Y-%m-%d'), try_strptime(day, '%d.%m.%Y'),
    try_strptime(day, '%m/%d/%Y'), try_strptime(day, '%-d %B %Y'), try_strptime(day, '%b %-d, %Y'),
    try_strptime(day, '%Y/%m/%d'))::date AS day FROM read_csv($file, types = {'day': 'VARCHAR'}))`,
  questions: [
    {
      ask: "Total amount per month",
      needs: ["metrics:amount", "time:month", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT date_trunc('month', day)::date AS day, sum(amount) AS amount FROM $table GROUP BY 1",
    },
    {
      ask: "total amount in March 2024",
      needs: ["metrics:amount", "analysis:total", "filter:day = 2024-03"],
      tools: ["filter", "aggregate"],
      sql: "SELECT 8.25 AS amount",
    },
    {
      ask: "How many orders per year?",
      needs: ["time:year", "analysis:count"],
      tools: ["aggregate"],
      sql: "SELECT date_trunc('year', day)::date AS day, count(*) AS count FROM $table GROUP BY 1",
    },
  ],
}

export const hostileNames: QuestionedTable = {
  file: `it's "odd"; --.csv`,
  from: "generated",
  make: {
    text: `kind,"""; drop table x; --",region
a,1,north
b,2,south
a,3,south
"b';--",4,north
`,
  },
  read: "read_csv($file, header = true, delim = ',', quote = '\"', escape = '\"')",
  questions: [
    {
      ask: 'What is the total "; drop table x; -- by kind?',
      needs: ['metrics:"; drop table x; --', "group_by:kind", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: `SELECT kind, sum("""; drop table x; --") AS """; drop table x; --" FROM $table GROUP BY 1`,
    },
    {
      ask: 'Average "; DROP TABLE x; -- in north by kind',
      needs: [
        'metrics:"; drop table x; --',
        "group_by:kind",
        "analysis:average",
        "filter:region = north",
      ],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT kind, avg("""; drop table x; --") AS """; drop table x; --"
            FROM $table WHERE region = 'north' GROUP BY 1`,
    },
  ],
}

/** Numbers with thousands, signs and words among them, missing shops, scores that are partly text. */
export const mixedTypes: QuestionedTable = {
  file: "mixed_types.csv",
  from: "generated",
  make: {
    text: `order,shop,amount,grade
1,Rome,10.50,good
2,Oslo,"1,200.00",n/a
3,Rome,,fair
4,,7,
5,Oslo,abc,3
6,Rome,$8,good
7,Paris,3,poor
8,Paris,4,fair
9,Paris,5,fair
10,Paris,6,fair
11,Paris,6.5,fair
12,Paris,6,2
`,
  },
  read: `(SELECT "order", shop, grade, try_cast(replace(ltrim(amount, '$'), ',', '') AS DOUBLE) AS amount
    FROM read_csv($file, all_varchar = true))`,
  questions: [
    {
      ask: "Total amount by shop",
      needs: ["metrics:amount", "group_by:shop", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT shop, sum(amount) AS amount FROM $table GROUP BY 1",
    },
    {
      ask: "How many orders per shop?",
      needs: ["group_by:shop", "analysis:count"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT shop, count(*) AS count FROM $table GROUP BY 1",
    },
    {
      ask: "orders where grade is missing",
      needs: ["analysis:filter", "filter:grade is missing"],
      tools: ["filter"],
      sql: `SELECT "order", shop, amount, grade FROM $table WHERE grade IS NULL`,
    },
    { ask: "average grade by shop", asksBack: ["names nothing to measure"] },
  ],
}

export const emptyTable: QuestionedTable = {
  file: "empty.csv",
  from: "generated",
  make: { text: "order,shop,amount\n" },
  read: "read_csv($file, header = true)",
  questions: [{ ask: "Total amount by shop", refuses: ["empty.csv has no rows"] }],
}

/** Two million rows, the same every time. */
export const bigParquet: QuestionedTable = {
  file: "events.parquet",
  from: "generated",
  make: {
    sql: `COPY (
      SELECT i AS id,
        TIMESTAMP '2022-01-01 00:00:00' + to_seconds((hash(i, 1) % 94608000)::BIGINT) AS at,
        ['Norway', 'Chile', 'Kenya', 'Japan'][1 + (hash(i, 2) % 4)::INTEGER] AS country,
        ['phone', 'tablet', 'laptop'][1 + (hash(i, 3) % 3)::INTEGER] AS device,
        (hash(i, 4) % 100000)::DOUBLE / 100 AS amount,
        (hash(i, 5) % 9)::INTEGER AS quantity
      FROM range(2000000) t(i)
    ) TO $file`,
  },
  read: "read_parquet($file)",
  questions: [
    {
      ask: "Total amount by country",
      needs: ["metrics:amount", "group_by:country", "analysis:total"],
      tools: ["aggregate", "plot_bar"],
      sql: "SELECT country, sum(amount) AS amount FROM $table GROUP BY 1",
    },
    {
      ask: "Average amount per month in Norway",
      needs: ["metrics:amount", "time:month", "analysis:average", "filter:country = Norway"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT date_trunc('month', "at")::date AS "at", avg(amount) AS amount FROM $table WHERE country = 'Norway' GROUP BY 1`,
    },
    {
      ask: "How many events per device in 2023?",
      needs: ["group_by:device", "analysis:count", "filter:at = 2023"],
      tools: ["filter", "aggregate", "plot_bar"],
      sql: `SELECT device, count(*) AS count FROM $table WHERE year("at") = 2023 GROUP BY 1`,
    },
    {
      ask: "Top 3 countries by quantity excluding Norway",
      needs: [
        "metrics:quantity",
        "group_by:country",
        "analysis:ranking",
        "top_n:top 3",
        "filter:country != Norway",
      ],
      tools: ["filter", "aggregate", "top_n", "plot_bar"],
      sql: "SELECT country, sum(quantity) AS quantity FROM $table WHERE country <> 'Norway' GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
      ordered: true,
    },
  ],
}
