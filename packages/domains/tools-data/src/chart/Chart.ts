/** A rendered chart, as passed between steps. */
import type { Json } from "@planloom/plugin/effect"

export interface Chart {
  readonly type: "chart"
  readonly title: string
  /** Self-contained, without scripts; inherits the page's text color. */
  readonly svg: string
  /** The Vega-Lite specification without data; its source is named `table`. */
  readonly spec: Json
  /** Alternative text. */
  readonly alt: string
  /** Notes for the reader: omitted series, rows without a value. */
  readonly notes?: ReadonlyArray<string>
}
