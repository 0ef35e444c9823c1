/** Invented customers, rates and promotions of a new database. */
const customers = [
  ["ana", "Ana Ortega", 300_000, 80_000, 15_000],
  ["sam", "Sam Reed", 100_000, 0, 0],
  ["lucia", "Lucía Paz", 50_000, 20_000, 20_000],
] as const

const rates = [
  ["USD", "MXN", 17_450_000, 17_100_000],
  ["USD", "COP", 4_050_500_000, 4_062_000_000],
  ["USD", "GTQ", 7_720_000, 7_725_000],
  ["USD", "EUR", 915_000, 921_000],
] as const

const promotions = [
  [
    "half_fee_mexico",
    "MXN",
    50,
    "Half the fee on transfers to Mexico this month.",
    "La mitad de la comisión en envíos a México este mes.",
  ],
] as const

const recipients = [
  ["ana", "Rosa Ortega", "MX", "MXN", "012180001234567899"],
  ["ana", "Mateo Ortega", "GT", "GTQ", "GT20CITI01010000000012345678"],
  ["sam", "Elena Ruiz", "CO", "COP", "300987654321"],
] as const

/** The day of the rates. */
const DAY = "2026-11-20"

type Write = (sql: string, ...values: ReadonlyArray<string | number>) => void

export const sampleData = (write: Write): void => {
  for (const row of customers) write("INSERT INTO customers VALUES (?, ?, ?, ?, ?)", ...row)
  for (const row of rates) write("INSERT INTO rates VALUES (?, ?, ?, ?, ?)", ...row, DAY)
  for (const row of promotions) write("INSERT INTO promotions VALUES (?, ?, ?, ?, ?)", ...row)
  for (const row of recipients) {
    write(
      "INSERT INTO recipients (customer, name, country, currency, account) VALUES (?, ?, ?, ?, ?)",
      ...row,
    )
  }
}
