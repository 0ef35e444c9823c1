/** One row of a list: id, summary, and data for --json. */
import type { Json } from "@planloom/plugin/effect"
import { definitions } from "../terminal/table.ts"
import type { Style } from "../terminal/Style.ts"
import { oneLine, wrap } from "../terminal/text.ts"

export interface Entry {
  readonly id: string
  readonly summary: string
  /** A short note after the id. */
  readonly aside?: string
  /** Additional fields for `--json`. */
  readonly data?: { readonly [key: string]: Json }
}

export const entriesText = (entries: ReadonlyArray<Entry>, style: Style, width: number): string => {
  const names = entries.map(
    ({ aside, id }) => id.length + (aside === undefined ? 0 : aside.length + 1),
  )
  const left = Math.min(32, Math.max(0, ...names))
  return definitions(
    entries.map(({ aside, id, summary }) => [
      style.name(oneLine(id)) + (aside === undefined ? "" : ` ${style.dim(oneLine(aside))}`),
      wrap(oneLine(summary), width - left - 2),
    ]),
    "",
    left,
  ).join("\n")
}

export const entriesJson = (entries: ReadonlyArray<Entry>): string =>
  JSON.stringify(
    entries.map(({ data, id, summary }) => ({ id, summary, ...data })),
    null,
    2,
  )
