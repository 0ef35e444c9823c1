/** Says what the calendar has on a day or between two, repeated events included. */
import { counted, enumerated, listed, sharedParams } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"
import { DeviceFailed } from "../DeviceFailed.ts"
import { occurrences, type Occurrence } from "./occurrences.ts"
import { soughtEvents } from "./soughtEvents.ts"

const { from, limit, query, to } = sharedParams

const described = ({ all_day: allDay, start, title }: Occurrence): string =>
  allDay ? `${title} (${start.slice(0, 10)})` : `${title} (${start.slice(0, 16).replace("T", " ")})`

const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`

export const calendar_query: DeviceTool = {
  tool: listed(
    "calendar_query",
    "Says what is in the calendar, on a day or between two days.",
    "calendar_query",
    { from, to, query, limit },
    [],
  ),
  run: async (params, { bytes, folder }, signal) => {
    const excerpt = await folder.read("calendar.ics", bytes * 16)
    if (excerpt === undefined) throw new DeviceFailed("this device has no calendar")
    if (!excerpt.whole) throw new DeviceFailed("calendar.ics is too large to be read")
    const today = new Date().toISOString().slice(0, 10)
    const first = String(params["from"] ?? today)
    // Who asks when something is, without a day, means from today on.
    const last = String(params["to"] ?? params["from"] ?? yearAfter(today))
    const all = await occurrences(new TextDecoder().decode(excerpt.bytes), first, last, signal)
    const { about, found, unmet } = soughtEvents(all, params["query"])
    const events = found.slice(0, Number(params["limit"] ?? 10))
    const when = first === last ? `on ${first}` : `between ${first} and ${last}`
    return {
      text:
        found.length === 0
          ? `Nothing${about} is in the calendar ${when}.`
          : `${counted(found.length, "event")}${about} ${when}: ${enumerated(events.map(described), found.length)}.${unmet}`,
      events: events.map((event) => ({ ...event })),
    }
  },
}
