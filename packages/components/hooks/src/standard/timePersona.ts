/** The hook `time_persona`: a tone for the time of day. */
import { textHook } from "./addText.ts"

const periods = ["morning", "afternoon", "evening", "night"] as const
type Period = (typeof periods)[number]

const usual: { readonly [period in Period]: string | undefined } = {
  morning: "It's morning. Be energetic and positive.",
  afternoon: "It's afternoon. Be efficient and focused.",
  evening: "It's evening. Be relaxed and patient.",
  night: undefined,
}

/** Hours at which the periods begin. */
const HOURS: { readonly [period in Exclude<Period, "night">]: number } = {
  morning: 6,
  afternoon: 12,
  evening: 18,
}

export const timePersona = textHook<
  { readonly [period in Period]?: string } & {
    readonly zone?: string
    readonly hours?: { readonly [period in Period]?: number }
  }
>({
  id: "time_persona",
  summary: "Adds a tone for the time of day.",
  priority: 80,
  properties: {
    ...Object.fromEntries(
      periods.map((period) => [
        period,
        {
          type: "string",
          description:
            period === "night"
              ? "The text at night; that of the evening unless written."
              : `The text in the ${period}, in place of the usual one.`,
        },
      ]),
    ),
    zone: {
      type: "string",
      minLength: 1,
      description: "Time zone, such as `Europe/Berlin` or `${{ user.zone }}`; UTC unless written.",
    },
    hours: {
      type: "object",
      description:
        "Hours at which the periods begin: 6, 12 and 18; the night begins only where it is written.",
      properties: Object.fromEntries(
        periods.map((period) => [period, { type: "integer", minimum: 0, maximum: 23 }]),
      ),
      additionalProperties: false,
    },
  },
  stable: false,
  text: ({ now, with: { hours, zone = "UTC", ...texts } }) => {
    const period = periodAt(hourIn(zone, now), { ...HOURS, ...hours })
    const text = texts[period] ?? usual[period] ?? texts.evening ?? usual.evening
    return text === "" ? undefined : text
  },
})

/** Throws a RangeError for a zone that does not exist. */
const hourIn = (zone: string, now: number): number =>
  Number(
    new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone: zone }).format(
      now,
    ),
  )

/** The period that began last; before the first of a day, the last of the day before. */
const periodAt = (hour: number, hours: { readonly [period in Period]?: number }): Period => {
  const started = periods
    .flatMap((period) => {
      const at = hours[period]
      return at === undefined ? [] : [{ period, at }]
    })
    .toSorted((a, b) => a.at - b.at)
  return (started.findLast(({ at }) => at <= hour) ?? started.at(-1)!).period
}
