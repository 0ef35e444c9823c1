/** A drawn chart, as it passes between steps. */
import type { Json } from "@planloom/plugin"

export interface Chart {
  readonly type: "chart"
  readonly title: string
  /** Self-contained, without scripts; takes the text colour of the page it is put in. */
  readonly svg: string
  /** The Vega-Lite specification, without the data: its source is named `table`. */
  readonly spec: Json
  /** The chart in words, for those who do not see it. */
  readonly alt: string
  /** What a reader should know: series left out, rows without a value. */
  readonly notes?: ReadonlyArray<string>
}
