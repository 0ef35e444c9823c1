/** Events as lines that a person reads and a diff shows: one event a line, long values by their digest. */
import { createHash } from "node:crypto"
import type { Json, RunEvent } from "@planloom/plugin/effect"

/** A longer value is written as its length and digest, so that a change still shows. */
const LONGEST = 400

/** `StageFinished plan output={…} attempts=1`. Number and time of an event are left out. */
export const eventsText = (events: ReadonlyArray<RunEvent>): string =>
  events.map((event) => `${line(event)}\n`).join("")

const line = (event: RunEvent): string => {
  const { at: _at, seq: _seq, type, ...rest } = event
  const { path, stage: _stage, ...fields } = rest as { readonly [field: string]: Json }
  return [
    type,
    ...(typeof path === "string" ? [path] : []),
    ...Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`),
  ].join(" ")
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  if (text.length <= LONGEST) return text
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12)
  return `${text.slice(0, 120)}… (${text.length} characters, sha256 ${digest})`
}
