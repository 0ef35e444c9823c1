/** The validator `numbers`: numbers of a text that nothing behind the text has. */
import { validator, type Draft, type Json } from "@planloom/plugin/effect"
import {
  actionSchema,
  findingOf,
  LONGEST_NUMBER,
  NUMBER_LOOKBEHIND,
  numbersIn,
  openNumber,
  type Action,
  type TextNumber,
} from "@planloom/review-kit"

interface Options {
  readonly allow?: ReadonlyArray<number>
  readonly small?: number
  readonly action?: Action
}

const subject = "numbers that come from nothing before it"

/** Whole numbers up to it may stand alone: steps, options, days. */
const SMALL = 10

export const numbers = validator<Options>({
  id: "numbers",
  summary: "Finds amounts, rates and dates that no result, request or earlier turn has.",
  class: "quality",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_NUMBER,
  input: {
    type: "object",
    properties: {
      allow: {
        type: "array",
        items: { type: "number" },
        description: "Numbers that may stand there, such as a yearly limit.",
      },
      small: {
        type: "integer",
        minimum: 0,
        description: `Whole numbers up to it may stand there without a currency or percent sign; ${SMALL} unless written.`,
      },
      action: actionSchema("flag", "`[number]`"),
    },
    additionalProperties: false,
  },
  rules: ["unknown_number"],
  validate: (text, { action = "flag", allow = [], small = SMALL }, draft) => {
    const written = numbersIn(text)
    if (written.length === 0) return findingOf([], subject, action)
    const known = knownIn(draft)
    const found = written
      .filter((number) => {
        const isSmall =
          !number.isMoney &&
          !number.isPercent &&
          number.values.some((one) => Number.isInteger(one) && one <= small)
        return (
          !isSmall &&
          !known.digits.has(number.digits) &&
          !isKnown(number, [...allow, ...known.values])
        )
      })
      .map(({ end, start }) => ({ start, end, what: "number", rule: "unknown_number" }))
    return findingOf(found, subject, action)
  },
  pending: openNumber,
  lookbehind: NUMBER_LOOKBEHIND,
})

interface Known {
  readonly values: ReadonlyArray<number>
  /** As written: identifiers start with zeros. */
  readonly digits: ReadonlySet<string>
}

/** A text may round a number: 17.4532 is 17.45, 17.5 or 17. A share of 0.05 is 5 %. */
const isKnown = (
  { decimals, isPercent, values }: TextNumber,
  known: ReadonlyArray<number>,
): boolean =>
  values.some((value, index) =>
    known.some((one) =>
      [one, -one, ...(isPercent ? [one * 100] : [])].some((exact) => {
        const unit = 10 ** -decimals[index]!
        return Math.abs(exact - value) <= unit / 2 + 1e-9 * Math.abs(exact)
      }),
    ),
  )

const knownIn = ({
  calls,
  data,
  request,
  turns,
}: Pick<Draft, "calls" | "data" | "request" | "turns">): Known => {
  const values: Array<number> = []
  const digits = new Set<string>()
  const read = (value: Json | undefined): void => {
    if (typeof value === "number") {
      values.push(value)
      digits.add(String(value).replaceAll(/\D/g, ""))
    } else if (typeof value === "string") readText(value)
    else if (Array.isArray(value)) for (const item of value) read(item as Json)
    else if (typeof value === "object" && value !== null)
      for (const item of Object.values(value)) read(item as Json)
  }
  const readText = (text: string): void => {
    for (const number of numbersIn(text)) {
      values.push(...number.values)
      digits.add(number.digits)
      // A time of the afternoon is written with 12 hours, too.
      for (const one of number.values) if (one > 12 && one < 24) values.push(one - 12)
    }
  }
  readText(request)
  for (const { assistant, user } of turns) {
    readText(user)
    readText(assistant)
  }
  for (const { params, result, summary } of calls) {
    read(params)
    read(result)
    readText(summary)
  }
  read(data)
  return { values, digits }
}
