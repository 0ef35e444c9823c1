/** Assembles a chart: title, notes, SVG and alternative text. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Chart } from "./Chart.ts"
import { render } from "./render.ts"

export interface Draft {
  readonly title: string
  /** Alternative text. */
  readonly alt: string
  /** Vega-Lite, without data, title and theme. */
  readonly spec: JsonObject
  /** Keyed by field names. */
  readonly rows: ReadonlyArray<JsonObject>
  readonly notes: ReadonlyArray<string>
}

/** Characters per line of the title and the subtitle at the default chart width. */
const TITLE_CHARACTERS = 56
const SUBTITLE_CHARACTERS = 74

const lines = (text: string, characters: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const word of text.split(" ")) {
    const last = found.at(-1)
    if (last !== undefined && last.length + word.length < characters)
      found[found.length - 1] = `${last} ${word}`
    else found.push(word)
  }
  return found
}

export const toChart = Effect.fnUntraced(function* ({ title, alt, spec, rows, notes }: Draft) {
  const subtitle =
    notes.length === 0 ? {} : { subtitle: lines(notes.join(" "), SUBTITLE_CHARACTERS) }
  const titled = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: lines(title, TITLE_CHARACTERS), ...subtitle },
    ...spec,
  }
  const svg = yield* render(titled, rows, alt)
  const chart: Chart = {
    type: "chart",
    title,
    svg,
    spec: { ...titled, data: { name: "table" } },
    alt,
    ...(notes.length === 0 ? {} : { notes }),
  }
  return chart as unknown as Json
})
