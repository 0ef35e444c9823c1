/** How values of a column are put together when a question does not say. */
import type { Analysis } from "../requirements/Requirements.ts"

const listed = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Words in names of columns whose values do not add up: a sum of prices or of ages says nothing. */
const averaged = listed(
  "price rate ratio percent percentage pct share score rating rank grade index level " +
    "temp temperature humidity pressure wind speed velocity magnitude depth elevation altitude " +
    "latitude longitude lat lon age height length width weight mass size bill beak flipper " +
    "avg mean average median max min margin mpg mileage economy acceleration horsepower " +
    "displacement efficiency expectancy expect fertility mortality satisfaction nps duration " +
    "hours delay time latency per gallon density voltage open close high low",
)

/** A word that says so wins over the others: "total delay", "number of hours". */
const added = listed("total sum count number num amount qty quantity units volume sales revenue")

/** Numbers that name things and do not measure. */
const naming = listed(
  "id key code zip postcode year month day number no lat lon latitude longitude",
)

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)

/** Whether the numbers of this column only name things. */
export const identifies = (name: string): boolean => naming.has(wordsOf(name).at(-1) ?? "")

/** `average` when the name of every column says that its values do not add up, else `total`. */
export const usualFunction = (columns: ReadonlyArray<string>): Analysis => {
  const averages = (name: string) => {
    const words = wordsOf(name)
    return words.some((word) => averaged.has(word)) && !words.some((word) => added.has(word))
  }
  return columns.length > 0 && columns.every(averages) ? "average" : "total"
}
