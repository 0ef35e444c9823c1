/** Documents that models are asked for, at random: extractions, plans, calls, reports, settings. */
import type { Dice, Fields, Value } from "./plans.ts"

const NAMES = "Ada Lovelace|Jean-Luc Müller|O'Brien & Sons|李雷|Zoë".split("|")
const NOTES =
  "all good|it's due on Friday|see https://example.org/a?b=1,2|costs 3,50 € (net)|first: check; then pay|50% of x > 3|use `git log`|Straße 5, 12345 Ort|line one\nline two|tab\there|a/b\\c|he left, she stayed|#1 priority|// not a comment|v1.2.3-beta|[draft] {todo}".split(
    "|",
  )
const PLAIN = "Oslo|open|high priority|done|ready to ship|Bergen|in progress".split("|")
const TAGS = "new,urgent,billing,api,travel,legal".split(",")

export interface DocumentDice extends Dice {
  /** A text without a quote or line end. */
  readonly note: () => string
  readonly plain: () => string
}

export const documentDice = (dice: Dice): DocumentDice => ({
  ...dice,
  note: () => dice.one(NOTES),
  plain: () => dice.one(PLAIN),
})

const many = <A>(dice: Dice, least: number, most: number, make: (at: number) => A): Array<A> =>
  Array.from({ length: least + dice.below(most - least + 1) }, (_, at) => make(at))

const invoice = (dice: DocumentDice): Fields => ({
  invoice_number: `INV-${1000 + dice.below(9000)}`,
  customer: { name: dice.one(NAMES), note: dice.note() },
  lines: many(dice, 1, 4, (at) => ({
    sku: `A${at}-${dice.below(99)}`,
    quantity: 1 + dice.below(9),
    price: (1 + dice.below(4000)) / 4,
    taxed: dice.below(2) === 0,
  })),
  total: dice.below(100_000) / 4,
  paid: dice.below(2) === 0,
})

const ticket = (dice: DocumentDice): Fields => ({
  title: dice.note(),
  status: dice.plain(),
  tags: many(dice, 0, 4, () => dice.one(TAGS)),
  assignee: dice.below(2) === 0 ? null : dice.one(NAMES),
  estimate: dice.below(40),
})

const call = (dice: DocumentDice): Fields => ({
  name: dice.one(["search_web", "get_weather", "send_mail", "read_file"]),
  arguments: {
    query: dice.note(),
    limit: 1 + dice.below(50),
    filters: many(dice, 0, 2, () => ({ field: dice.one(TAGS), value: dice.plain() })),
  },
})

const analysis = (dice: DocumentDice): Fields => ({
  summary: `${dice.note()}; ${dice.plain()}`,
  scores: { clarity: dice.below(11) / 10, depth: dice.below(101), trend: -dice.below(9) },
  findings: many(dice, 1, 3, (at) => ({ id: at + 1, text: dice.note(), severity: dice.plain() })),
  matrix: many(dice, 1, 3, () => many(dice, 1, 3, () => dice.below(100))),
  verified: dice.below(2) === 0,
})

const settings = (dice: DocumentDice): Fields => ({
  server: { host: "db.example.org", port: 1000 + dice.below(60_000), tls: dice.below(2) === 0 },
  paths: { root: "/srv/app", ignore: many(dice, 0, 3, () => `*.${dice.one(TAGS)}`) },
  motto: dice.note(),
  limit: null,
})

export const replyDocument = (dice: DocumentDice): Fields =>
  dice.one([invoice, ticket, call, analysis, settings])(dice)

/** Another document of the same names and types. */
export const variantOf = (value: Value, dice: DocumentDice): Value => {
  if (Array.isArray(value)) return value.map((item: Value) => variantOf(item, dice))
  if (typeof value === "string") return dice.plain()
  if (typeof value === "number") return value + 1
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, variantOf(item, dice)]),
  )
}
