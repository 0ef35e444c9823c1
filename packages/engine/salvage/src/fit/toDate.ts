/** Converts unambiguous dates to the formats of JSON Schema. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const DAY_MONTH_YEAR =
  /^(?:[a-z]+,?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?,?\s+(\d{4})$/i
const MONTH_DAY_YEAR = /^(?:[a-z]+,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i
const MOMENT = /^(\S+)[T\s]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|GMT|[-+]\d{2}:?\d{2})?$/i

/** Returns `undefined` unless the text is a date with one reading; `01/02/2024` has two. */
export const toDate = (text: string, format: string): string | undefined => {
  if (format === "date") {
    const moment = MOMENT.exec(text.trim())
    return day(moment !== null && /^0{1,2}:00/.test(moment[2]!) ? moment[1]! : text.trim())
  }
  if (format !== "date-time") return undefined
  const moment = MOMENT.exec(text.trim())
  if (moment === null || moment[3] === undefined) return undefined
  const date = day(moment[1]!)
  if (date === undefined) return undefined
  const [hours, ...rest] = moment[2]!.split(":")
  const time = [hours!.padStart(2, "0"), ...rest, ...(rest.length === 1 ? ["00"] : [])].join(":")
  const zone = /^[-+]/.test(moment[3]) ? moment[3].replace(/^(...):?(..)$/, "$1:$2") : "Z"
  return `${date}T${time}${zone}`
}

const day = (text: string): string | undefined => {
  const plain = DAY.exec(text)
  if (plain !== null) return valid(plain[1]!, plain[2]!, plain[3]!)
  const dayFirst = DAY_MONTH_YEAR.exec(text)
  if (dayFirst !== null) return valid(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!)
  const monthFirst = MONTH_DAY_YEAR.exec(text)
  if (monthFirst !== null) return valid(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!)
  return undefined
}

const monthOf = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

const valid = (year: string, month: string, date: string): string | undefined => {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}
