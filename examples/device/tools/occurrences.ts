/** The events of an iCalendar file that touch some days, repetitions unrolled. */
import { DeviceFailed } from "../DeviceFailed.ts"

export interface Occurrence {
  readonly title: string
  /** Local, as the calendar says it: `2026-11-23T09:00:00`, or the day alone. */
  readonly start: string
  readonly end: string
  readonly all_day: boolean
  readonly location: string
}

/** Repetitions looked at for one event; a daily one reaches 27 years. */
const MOST_REPETITIONS = 10_000

/** Sorted by their start. Fails for a text that is not a calendar. */
export const occurrences = async (
  text: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<ReadonlyArray<Occurrence>> => {
  const { default: ical } = await import("ical.js")
  const root = readRoot(() => new ical.Component(ical.parse(text)))
  const found: Array<Occurrence> = []
  const all = root.getAllSubcomponents("vevent").map((event) => new ical.Event(event))
  // Changed repetitions come with the event they belong to.
  for (const event of all.filter((one) => !one.isRecurrenceException())) {
    signal.throwIfAborted()
    const take = (title: unknown, start: string, end: string, isDate: boolean, where: unknown) => {
      const until = isDate && end > start ? before(end) : end
      if (start.slice(0, 10) > to || until.slice(0, 10) < from) return
      found.push({
        title: String(title ?? "Untitled").slice(0, 200),
        start,
        end,
        all_day: isDate,
        location: String(where ?? "").slice(0, 200),
      })
    }
    if (!event.isRecurring()) {
      const { endDate, location, startDate, summary } = event
      if (startDate !== null)
        take(
          summary,
          startDate.toString(),
          (endDate ?? startDate).toString(),
          startDate.isDate,
          location,
        )
      continue
    }
    const repeated = event.iterator()
    for (let count = 0; count < MOST_REPETITIONS; count++) {
      const next = repeated.next()
      if (next === null || next === undefined || next.toString().slice(0, 10) > to) break
      const { endDate, item, startDate } = event.getOccurrenceDetails(next)
      take(item.summary, startDate.toString(), endDate.toString(), startDate.isDate, item.location)
    }
  }
  return found.toSorted((a, b) => (a.start + a.title < b.start + b.title ? -1 : 1))
}

const readRoot = <A>(read: () => A): A => {
  try {
    return read()
  } catch {
    throw new DeviceFailed("calendar.ics is not a calendar")
  }
}

/** The day before: an all-day event ends where the next day begins. */
const before = (day: string): string => {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}
