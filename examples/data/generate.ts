/** Writes the example tables. Seeded: every run gives the same bytes. README.md documents what is planted. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { generator } from "../seededRandom.ts"

/** Roughly normal, mean 0, variance 1: Irwin–Hall over twelve draws, no transcendental functions. */
const normal = (random: () => number): number => {
  let sum = -6
  for (let draw = 0; draw < 12; draw++) sum += random()
  return sum
}

const DAY = 86_400_000
const FIRST = Date.UTC(2022, 0, 1)
const LAST = Date.UTC(2024, 11, 31)
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Units per day at the start, and growth per year. */
const regions = [
  { name: "Asia Pacific", size: 1.1, growth: 0.22 },
  { name: "Europe", size: 1.4, growth: 0.08 },
  { name: "Latin America", size: 0.6, growth: -0.06 },
  { name: "North America", size: 1.8, growth: 0.04 },
]

/** Price in the table's currency; `season` holds the factor for each month. */
const categories = [
  {
    name: "Clothing",
    price: 39,
    units: 60,
    returned: 0.09,
    season: [0.8, 0.8, 1.05, 1.15, 1.1, 0.95, 0.85, 0.9, 1.1, 1.1, 1.05, 1.15],
  },
  {
    name: "Electronics",
    price: 180,
    units: 26,
    returned: 0.05,
    season: [0.9, 0.88, 0.92, 0.92, 0.94, 0.95, 0.97, 0.98, 1.02, 1.05, 1.2, 1.27],
  },
  {
    name: "Home",
    price: 64,
    units: 38,
    returned: 0.04,
    season: [0.95, 0.93, 1.03, 1.1, 1.12, 1.06, 0.98, 0.94, 0.96, 0.97, 0.98, 0.98],
  },
  {
    name: "Toys",
    price: 24,
    units: 70,
    returned: 0.03,
    season: [0.75, 0.75, 0.82, 0.85, 0.86, 0.88, 0.9, 0.9, 0.92, 1.0, 1.45, 1.92],
  },
]

/** Sunday first. */
const weekdays = [1.12, 0.94, 0.92, 0.94, 0.98, 1.08, 1.18]

interface Row {
  readonly region: string
  readonly category: string
  readonly date: string
}

const between = (row: Row, first: string, last: string): boolean =>
  row.date >= first && row.date <= last

/** The planted anomalies, as factors on units and returns; `undefined`: the row is missing. */
export const planted = (row: Row): { units: number; returns: number } | undefined => {
  if (row.region === "Asia Pacific" && between(row, "2022-08-15", "2022-08-21")) return undefined
  if (row.region === "Europe" && between(row, "2023-03-06", "2023-03-26"))
    return { units: 0.15, returns: 1 }
  if (
    row.region === "North America" &&
    row.category === "Electronics" &&
    between(row, "2023-07-10", "2023-07-16")
  )
    return { units: 5, returns: 1 }
  if (
    row.region === "Asia Pacific" &&
    row.category === "Toys" &&
    between(row, "2024-05-01", "2024-05-31")
  )
    return { units: 1, returns: 8 }
  if (row.region === "Latin America" && row.category === "Home" && row.date === "2024-09-17")
    return { units: 20, returns: 1 }
  return { units: 1, returns: 1 }
}

/** `sales.csv`: one row per day, region and product category. */
export const sales = (): string => {
  const random = generator(20_220_101)
  const lines = ["region,product_category,date,revenue,units,returns"]
  for (let at = FIRST; at <= LAST; at += DAY) {
    const day = new Date(at)
    const years = (at - FIRST) / (365.25 * DAY)
    for (const region of regions)
      for (const category of categories) {
        const [first, second, third] = [normal(random), normal(random), normal(random)]
        const date = iso(at)
        const factor = planted({ region: region.name, category: category.name, date })
        if (factor === undefined) continue
        const expected =
          category.units *
          region.size *
          (1 + region.growth * years) *
          category.season[day.getUTCMonth()]! *
          weekdays[day.getUTCDay()]!
        const units = Math.max(0, Math.round(expected * (1 + 0.12 * first) * factor.units))
        const price = category.price * (1 + 0.03 * years) * (1 + 0.02 * second)
        const share = category.returned * (1 + 0.3 * third) * factor.returns
        const returns = Math.min(units, Math.max(0, Math.round(units * share)))
        lines.push(
          `${region.name},${category.name},${date},${(units * price).toFixed(2)},${units},${returns}`,
        )
      }
  }
  return `${lines.join("\n")}\n`
}

const channels = ["email", "phone", "chat", "web form"]
const priorities = [
  { name: "low", hours: 60, share: 0.5 },
  { name: "normal", hours: 26, share: 0.35 },
  { name: "high", hours: 9, share: 0.12 },
  { name: "urgent", hours: 3, share: 0.03 },
]
const subjects = [
  "Where is my order?",
  'Manual says "press start", nothing happens',
  "Refund, please",
  "Wrong size, colour; exchange?",
  "Invoice for my company",
]

/** A quoted field, as RFC 4180 wants it. */
const field = (value: string): string => `"${value.replaceAll('"', '""')}"`

/** `support_tickets.csv`: one row per ticket; separated by semicolons, with gaps, as exports often are. */
export const supportTickets = (): string => {
  const random = generator(424_242)
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(random() * list.length)]!
  const lines = [
    '"ticket id";"opened at";channel;priority;"product category";"hours to resolve";satisfaction;subject',
  ]
  let id = 10_000
  for (let at = Date.UTC(2024, 0, 1); at <= LAST; at += DAY) {
    const weekend = [0, 6].includes(new Date(at).getUTCDay())
    const recall = iso(at) >= "2024-05-01" && iso(at) <= "2024-06-07"
    const count = Math.max(0, Math.round((weekend ? 3 : 7) + 1.5 * normal(random)))
    const extra = recall ? 6 : 0
    for (let ticket = 0; ticket < count + extra; ticket++) {
      const category = ticket >= count ? "Toys" : pick(categories).name
      let draw = random()
      const priority = priorities.find(({ share }) => (draw -= share) < 0) ?? priorities[0]!
      const hours = priority.hours * (0.35 + 1.3 * random())
      const opened = new Date(at + Math.floor(random() * 86_400) * 1000).toISOString()
      const answered = random() < 0.62
      const stars = Math.max(1, Math.min(5, Math.round(4.4 - hours / 40 + 0.7 * normal(random))))
      lines.push(
        [
          ++id,
          opened.slice(0, 19).replace("T", " "),
          pick(channels),
          priority.name,
          category,
          random() < 0.04 ? "" : hours.toFixed(1),
          answered ? stars : "",
          field(pick(subjects)),
        ].join(";"),
      )
    }
  }
  return `${lines.join("\n")}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = (name: string, text: string): void =>
    writeFileSync(new URL(name, import.meta.url), text)
  write("sales.csv", sales())
  write("support_tickets.csv", supportTickets())
}
